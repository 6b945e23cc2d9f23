import { expect, test } from 'vitest'
import { describeLeft } from './describe-left.ts'

type Left = Parameters<typeof describeLeft>[0]['left']
const some = (count: number, fate: 'killed' | 'kept'): Left =>
  Array.from({ length: count }, (_, index) => ({ pid: index + 1, name: `"${index}`, fate }))

const named = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"\\"${index}" (process ${index + 1})`).join(', ')

test.for<[string, boolean, Left, readonly string[]]>([
  ['nothing', false, [], []],
  [
    'something that held its output open',
    true,
    [],
    [
      'The program ended, but something it had started held its output open and was killed: wait for what is started, or redirect its output.',
    ],
  ],
  [
    'that and others',
    true,
    some(1, 'killed'),
    [
      `The program ended, but something it had started held its output open and was killed, with all that had left its group: ${named(1)}. Wait for what is started, or redirect its output.`,
    ],
  ],
  [
    'what was killed, five of it by name',
    false,
    some(5, 'killed'),
    [`The program ended, but what it had started went on and was killed: ${named(5)}.`],
  ],
  [
    'what goes on',
    false,
    some(7, 'kept'),
    [
      `The program ended, but what it had started goes on: ${named(5)} and 2 more. To have such processes stopped, set left_behind to "stop" for this tool.`,
    ],
  ],
  [
    'what was killed in part',
    false,
    [...some(1, 'kept'), ...some(1, 'killed')],
    [
      'The program ended, but what it had started went on and was killed: "\\"0" (process 1), "\\"0" (process 1).',
    ],
  ],
])('a program that left %s behind', ([, pipesHeld, left, messages]) => {
  expect(describeLeft({ pipesHeld, left })).toEqual(
    messages.map((message) => ({ path: '', code: 'processes-left-behind', message })),
  )
})
