import { expect, test } from 'vitest'
import { type ArgumentKind, InvalidArgumentError, requireArguments } from './require-arguments.ts'

test.for<[ArgumentKind, readonly unknown[], readonly unknown[]]>([
  ['string', ['', 'a'], [undefined, null, 7, ['a'], {}]],
  ['number', [0, Number.NaN], [undefined, '7', {}]],
  ['array', [[]], [undefined, new Set(), 'a', {}]],
  ['object', [{}, new Map()], [undefined, null, [], 'a', () => {}]],
  ['function', [() => {}], [undefined, {}]],
  ['iterable', [[], new Set()], [undefined, 'text', {}]],
  ['bytes', [new Uint8Array()], [undefined, 'a', []]],
  ['bytes or string', ['', new Uint8Array()], [undefined, [], 7]],
  ['string?', [undefined, 'a'], [null, 7]],
  ['value', [0, '', false], [undefined, null]],
  ['anything', [undefined, null, 7], []],
])('%s', ([kind, right, wrong]) => {
  for (const value of right)
    expect(() => {
      requireArguments('f(a)', [value, kind])
    }).not.toThrow()
  for (const value of wrong)
    expect(() => {
      requireArguments('f(a)', [value, kind])
    }).toThrow(InvalidArgumentError)
})

test('the error names the function, the argument, what was expected and what came', () => {
  const call = (
    ...checks: Parameters<typeof requireArguments> extends [string, ...infer Rest] ? Rest : never
  ) => {
    requireArguments('save(name, entry, …)', ...checks)
  }
  expect(() => {
    call(['a', 'string'], ['b', { text: 'string', size: 'number' }])
  }).toThrow(
    expect.objectContaining({
      code: 'invalid-argument',
      message:
        'save(name, entry, …): entry: expected an object with text (a string) and size (a number), got string "b"',
    }),
  )
  expect(() => {
    call(
      ['a', 'string'],
      [
        { text: 'x', size: '7' },
        { text: 'string', size: 'number' },
      ],
    )
  }).toThrow('save(name, entry, …): entry.size: expected a number, got string "7"')
  expect(() => {
    call([7, 'string'])
  }).toThrow('save(name, entry, …): name: expected a string, got number 7')
})
