import { expect, test } from 'vitest'
import { createKeptOutput } from './kept-output.ts'

test('blocks come out once, in their order', () => {
  const kept = createKeptOutput()
  const blocks = ['a', 'b'].map((text) => ({ type: 'text', text }) as const)
  for (const block of blocks) kept.add([block])
  expect(kept.take()).toEqual(blocks)
  expect(kept.take()).toEqual([])
})

test('a tool that never stops talking fills no memory, and what is lost is counted', () => {
  const kept = createKeptOutput()
  for (let count = 0; count < 50; count++) kept.add([{ type: 'text', text: 'x'.repeat(100_000) }])
  const taken = kept.take()
  expect(JSON.stringify(taken).length).toBeLessThan(1.1 * 1024 * 1024)
  expect(taken.at(-1)).toMatchObject({ text: expect.stringContaining('40 more blocks') })
})
