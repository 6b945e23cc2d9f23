import type { ConversationEvent } from '@toolblocks/conversation-store'

/** Two turns: a call with a question and an answer, and a call that was interrupted. */
export const TWO_TURNS: readonly ConversationEvent[] = [
  { type: 'turn_start', turn: 1 },
  { type: 'user_message', content: [{ type: 'text', text: 'Count the lamps, please.' }] },
  {
    type: 'tool_call',
    call: { id: 'a', name: 'count_lamps', arguments: { room: 'hall', list: [1, 2] } },
  },
  {
    type: 'question',
    id: 'a.sure.1',
    callId: 'a',
    asked: 'user',
    question: { id: 'sure', text: 'Also the broken ones?', schema: { type: 'boolean' } },
  },
  { type: 'answer', id: 'a.sure.1', callId: 'a', action: 'accept', value: true },
  {
    type: 'tool_result',
    result: { id: 'a', content: [{ type: 'text', text: 'Seven lamps.' }], isError: false },
  },
  { type: 'assistant_message', content: [{ type: 'text', text: 'There are **seven**.' }] },
  { type: 'turn_start', turn: 2 },
  { type: 'user_message', content: [{ type: 'text', text: 'And now mend them.' }] },
  { type: 'tool_call', call: { id: 'b', name: 'mend_lamps', arguments: {} } },
]
