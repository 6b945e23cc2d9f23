import { openStore, type ConversationEvent } from '@toolblocks/conversation-store'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { test } from 'vitest'
import type { Model } from './model.ts'
import { openConversation } from './open-conversation.ts'
import { runTurn } from './run-turn.ts'

const text = (words: string) => [{ type: 'text', text: words }] as const

/** A turn with one call: seven events. */
function makeTurn(turn: number): ConversationEvent[] {
  const id = `call-${turn}`
  const given = 'What the tool said. '.repeat(20)
  return [
    { type: 'turn_start', turn },
    { type: 'user_message', content: text('What is in a.rs?') },
    { type: 'assistant_message', content: text('I look.') },
    { type: 'tool_call', call: { id, name: 'read', arguments: { path: 'a.rs' } } },
    { type: 'tool_result', result: { id, content: text(given), isError: false } },
    { type: 'delivery', deliveries: [], callId: id, text: given, wholeLength: given.length },
    { type: 'assistant_message', content: text('A lighthouse.') },
  ]
}

const model: Model = async function* answer() {
  yield { type: 'message', message: { role: 'assistant', content: text('Yes.'), calls: [] } }
}

test('a turn after 1,000 events, without the time of model, tools and disk', async ({ bench }) => {
  const store = await openStore('memory:')
  await store.append('c', 0, Array.from({ length: 143 }, (_, turn) => makeTurn(turn + 1)).flat())
  const before = await openConversation(store, 'c')
  const known = [...before.events()]
  const executor = createToolExecutor({ tools: [] })
  const context = { signal: new AbortController().signal, root: '/', conversationId: 'c' }
  await bench('runTurn', async () => {
    // Each run starts after the same events.
    const events = [...known]
    const conversation = {
      id: 'c',
      store,
      events: () => events,
      record: async (...added: readonly ConversationEvent[]) => {
        for (const event of added) events.push({ seq: events.length + 1, at: '', event })
      },
    }
    await runTurn(
      text('And now?'),
      {
        model,
        executor,
        conversation,
        context,
      },
      () => {},
    )
  }).run()
  await executor.close()
  await store.close()
})
