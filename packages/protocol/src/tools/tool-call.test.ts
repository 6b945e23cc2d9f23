import { expect, test } from 'vitest'
import { describeBadArguments } from './tool-call.ts'

test('each bad argument has a line with its place; the whole of them is named too', () => {
  const problems = [
    { path: '/paths/0', message: 'expected string, got number 3' },
    { path: '', message: 'expected object, got null' },
  ]
  expect(describeBadArguments('read "all"', problems)).toBe(
    [
      'Invalid arguments for the tool "read \\"all\\""; the call was not run.',
      '- /paths/0: expected string, got number 3',
      '- (arguments): expected object, got null',
      'Correct these arguments and call the tool again.',
    ].join('\n'),
  )
})
