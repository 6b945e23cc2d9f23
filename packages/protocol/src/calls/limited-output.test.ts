import { expect, test } from 'vitest'
import { createLimitedOutput } from './limited-output.ts'

test('blocks are returned once, in their order', () => {
  const kept = createLimitedOutput({ characters: 1024 * 1024, span: 'between two results' })
  const blocks = ['a', 'b'].map((text) => ({ type: 'text', text }) as const)
  for (const block of blocks) kept.add({ content: [block], warnings: [] })
  expect(kept.take()).toEqual({ content: blocks, warnings: [] })
  expect(kept.take()).toEqual({ content: [], warnings: [] })
})

test('the output of an endless tool uses bounded memory, and the rest is counted', () => {
  const kept = createLimitedOutput({ characters: 1024 * 1024, span: 'between two results' })
  const content = [{ type: 'text', text: 'x'.repeat(100_000) } as const]
  for (let count = 0; count < 50; count++) kept.add({ content, warnings: [] })
  const { content: taken } = kept.take()
  expect(taken).toEqual([
    ...Array.from({ length: 10 }, () => content[0]),
    {
      type: 'text',
      text: '[40 more blocks were dropped: at most 1048576 characters between two results are kept]',
    },
  ])
  kept.add({ content, warnings: [] })
  expect(kept.take().content).toEqual(content)
})

test('output up to the limit is kept, and none after output that did not fit', () => {
  const kept = createLimitedOutput({ characters: 1024 * 1024, span: 'between two results' })
  const frame = JSON.stringify({ type: 'text', text: '' }).length
  const block = (size: number) => ({ type: 'text', text: 'x'.repeat(size - frame) }) as const
  const most = block(1024 * 1024)
  kept.add({ content: [most], warnings: [] })
  expect(kept.take().content).toEqual([most])
  const [half, more, small] = [block(524_288), block(524_289), block(100)]
  kept.add({ content: [half, more, small], warnings: [] })
  expect(kept.take().content).toEqual([
    half,
    { type: 'text', text: expect.stringMatching(/^\[2 more blocks were dropped/) as string },
  ])
})

test('warnings are returned once, without repetition, and at most a hundred', () => {
  const kept = createLimitedOutput({ characters: 1024 * 1024, span: 'between two results' })
  const warning = (message: string) => ({ path: '', message })
  for (const message of ['odd', 'odd', 'odder'])
    kept.add({ content: [], warnings: [warning(message)] })
  expect(kept.take()).toEqual({ content: [], warnings: [warning('odd'), warning('odder')] })
  expect(kept.take().warnings).toEqual([])
  for (let count = 0; count < 1000; count++)
    kept.add({ content: [], warnings: [warning(`${count}`)] })
  expect(kept.take().warnings).toHaveLength(100)
})
