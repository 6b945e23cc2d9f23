import { expect, test } from 'vitest'
import { createKeptOutput } from './kept-output.ts'

test('blocks come out once, in their order', () => {
  const kept = createKeptOutput()
  const blocks = ['a', 'b'].map((text) => ({ type: 'text', text }) as const)
  for (const block of blocks) kept.add({ content: [block], warnings: [] })
  expect(kept.take()).toEqual({ content: blocks, warnings: [] })
  expect(kept.take()).toEqual({ content: [], warnings: [] })
})

test('a tool that never stops talking fills no memory, and what is lost is counted', () => {
  const kept = createKeptOutput()
  const content = [{ type: 'text', text: 'x'.repeat(100_000) } as const]
  for (let count = 0; count < 50; count++) kept.add({ content, warnings: [] })
  const { content: taken } = kept.take()
  expect(JSON.stringify(taken).length).toBeLessThan(1.1 * 1024 * 1024)
  expect(taken.at(-1)).toMatchObject({ text: expect.stringContaining('40 more blocks') })
})

test('warnings come out once, however often they were earned, and at most a hundred', () => {
  const kept = createKeptOutput()
  const warning = (message: string) => ({ path: '', message })
  for (const message of ['odd', 'odd', 'odder'])
    kept.add({ content: [], warnings: [warning(message)] })
  expect(kept.take()).toEqual({ content: [], warnings: [warning('odd'), warning('odder')] })
  expect(kept.take().warnings).toEqual([])
  for (let count = 0; count < 1000; count++)
    kept.add({ content: [], warnings: [warning(`${count}`)] })
  expect(kept.take().warnings).toHaveLength(100)
})
