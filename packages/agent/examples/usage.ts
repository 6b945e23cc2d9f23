import assert from 'node:assert/strict'
import { createAgent, createScriptedModel, openConversation } from '@toolblocks/agent'
import { openStore } from '@toolblocks/conversation-store'
import { booleanQuestion, createSuccessResult, type Tool } from '@toolblocks/protocol'

const removeNotes: Tool = {
  name: 'remove_notes',
  summary: 'Removes the notes of the day.',
  inputSchema: { type: 'object', properties: {} },
  execute: async (_call, { answers }) => {
    if (answers['confirm'] === true)
      return createSuccessResult([{ type: 'text', text: 'Removed 12 lines.' }])
    const question = booleanQuestion({ id: 'confirm', text: 'Remove 12 lines?' })
    return createSuccessResult([{ type: 'question', question }])
  },
}

// The model of a provider is a function that streams its response; @toolblocks/formatter writes the request.
const model = createScriptedModel([
  { text: 'I remove them.', calls: [{ id: 'call-1', name: 'remove_notes', arguments: {} }] },
  { text: 'They are gone.', calls: [] },
  { text: 'You are welcome.', calls: [] },
])

const store = await openStore('memory:')
const transcript: string[] = []

/** Runs one turn. After a crash, calling it again continues the conversation from its last event. */
async function say(text: string): Promise<void> {
  const agent = createAgent({
    model,
    conversation: await openConversation(store, 'notes'),
    tools: () => [{ tool: removeNotes }],
    root: process.cwd(),
    people: {
      // A terminal or a page would ask the person here.
      approve: async () => ({ decision: 'allowed' }),
      user: async () => ({ action: 'accept', value: true }),
    },
  })
  const end = await agent.runTurn([{ type: 'text', text }], {
    signal: AbortSignal.timeout(5000),
    show: (moment) => {
      if (moment.type === 'text') transcript.push(moment.text)
      if (moment.type === 'result') transcript.push(moment.delivered.text)
    },
  })
  assert.equal(end, 'completed')
  await agent.close()
}

await say('Remove my notes.')
await say('Thank you.')
assert.deepEqual(transcript, [
  'I remove them.',
  'Removed 12 lines.',
  'They are gone.',
  'You are welcome.',
])
await store.close()
