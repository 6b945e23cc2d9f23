import { test } from 'vitest'
import { booleanQuestion, createSuccessResult, type Tool } from '@toolblocks/protocol'
import { runInquiry } from './run-inquiry.ts'

const question = { type: 'question', question: booleanQuestion({ id: 'go', text: 'Go?' }) } as const
const asks = createSuccessResult([{ type: 'text', text: 'plan' }, question])
const done = createSuccessResult([])
const tool: Tool = {
  name: 'edit',
  inputSchema: true,
  execute: async (_call, { answers }) => ('go' in answers ? done : asks),
}
const user = async () => ({ action: 'accept', value: true }) as const
const inquire = runInquiry

test('an inquiry of one round, without the time of a tool or a person', async ({ bench }) => {
  const context = { signal: new AbortController().signal, root: '/', ask: { user } }
  await bench('runInquiry', async () => {
    await inquire(tool, { id: 'c', name: 'edit', arguments: {} }, { context })
  }).run()
})
