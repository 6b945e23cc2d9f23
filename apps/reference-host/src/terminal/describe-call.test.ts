import { createTerminalStyle } from '@toolblocks/renderer'
import { expect, test } from 'vitest'
import { describeCall } from './describe-call.ts'

const style = createTerminalStyle('none')

function describe(given: unknown): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- also what is no JSON comes from a provider
  const call = { id: '1', name: 'read', arguments: given as Record<string, unknown> }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is used of it
  return describeCall(call, 'whole', { style } as never)
}

test('a call is its name and its arguments; what a model said instead of them is shown as it was', () => {
  expect(describe({ path: 'a b', lines: [1, 2] })).toBe('▸ read path=a b lines=[1,2]')
  expect(describe({})).toBe('▸ read')
  expect(describe('{"path":')).toBe('▸ read {"path":')
})
