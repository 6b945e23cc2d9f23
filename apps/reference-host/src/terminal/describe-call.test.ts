import { createFailure } from '@toolblocks/protocol'
import { createTerminalStyle } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { describeCall, describeTime } from './describe-call.ts'

const style = createTerminalStyle('none')

function describe(callArguments: unknown, parts: 'whole' | 'name' = 'whole'): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- also what is no JSON comes from a provider
  const call = { id: '1', name: 'read', arguments: callArguments as Record<string, unknown> }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is used of it
  return describeCall(call, parts, { style } as never)
}

test.for(['denied', 'cancelled'] as const)(
  'a call that was %s before it ran has no time',
  (outcome) => {
    const result = createFailure('no', outcome)
    expect(describeTime(result, 1, { style })).toBe(undefined)
    expect(describeTime(result, 2000, { style })).toBe('after 2.0 s')
    expect(describeTime(createFailure('no', 'failed'), 1, { style })).toBe('after 1 ms')
  },
)

test('a call is shown with its name and its arguments; malformed arguments of a model are shown unchanged', () => {
  expect(describe({ path: 'a b', lines: [1, 2] })).toBe('▸ read path=a b lines=[1,2]')
  expect(describe({})).toBe('▸ read')
  expect(describe('{"path":')).toBe('▸ read {"path":')
})

test('before an approval, which shows the arguments, a call is its name only', () => {
  expect(describe({ path: 'a' }, 'name')).toBe('▸ read')
})

test.for([
  [0.4, false, '✓ completed in 0 ms'],
  [99, false, '✓ completed in 99 ms'],
  [1000, false, '✓ completed in 1.0 s'],
  [61_250, true, 'after 1 min 1 s'],
] as const)(
  'the time %d ms of a call with isError %s is shown as: %s',
  ([milliseconds, isError, line]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is used of it
    const terminal = { style } as never
    expect(describeTime({ content: [], isError }, milliseconds, terminal)).toBe(line)
  },
)
