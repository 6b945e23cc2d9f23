import { expect, test } from 'vitest'
import { toolblocks, type Ran } from '../toolblocks.support.ts'
import { planCompaction } from './compact-conversation.ts'
import { TWO_TURNS, useConversations } from './conversations.support.ts'

const entries = (turns: number): { turn: number }[] =>
  Array.from({ length: turns }, (_, index) => ({ turn: index + 1 }))

test('by default the first and the last three turns are kept', () => {
  expect(planCompaction(entries(6), {})).toEqual({
    type: 'compaction',
    fromTurn: 2,
    toTurn: 3,
    reasoning: 'strip',
    toolCalls: 'strip',
  })
  expect(planCompaction(entries(4), {})).toBeUndefined()
})

test('only the named turns and parts are compacted', () => {
  const turns = { from: 1, to: Infinity }
  expect(planCompaction(entries(2), { turns, summary: 's' })).toEqual({
    type: 'compaction',
    fromTurn: 1,
    toTurn: 2,
    summary: 's',
  })
  expect(planCompaction(entries(2), { turns: { from: 3, to: 4 } })).toBeUndefined()
})

const workspace = useConversations()
const run = async (...args: string[]): Promise<Ran> =>
  await toolblocks(workspace.folder, 'conversations', ...args)

test('a compacted conversation is shown as a model receives it, and completely', async () => {
  await workspace.keep('lamps', ...TWO_TURNS)
  const compacted = await run('compact', 'lamps', '--turns', '1', '--summary', 'Seven lamps hang.')
  expect(compacted.stdout).toBe(
    'From now on, a model receives turn 1 as a summary. Nothing was deleted.\n',
  )
  const modelView = (await run('show', 'lamps', '--model-view')).stdout
  expect(modelView).toContain('[Summary of the conversation so far, turn 1.]')
  expect(modelView).not.toContain('Count the lamps')
  const whole = (await run('show', 'lamps')).stdout
  expect(whole).toContain('Count the lamps')
  expect(whole).toMatch(/compaction turns 1–1\n {5}Seven lamps hang\./)
})

test('compacting an empty selection is wrong usage', async () => {
  await workspace.keep('lamps', ...TWO_TURNS)
  const { code, stderr } = await run('compact', 'lamps')
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'error: there is nothing to compact: it has 2 turns, and the first and the last 3 are kept; use --turns to choose others\n',
  })
})
