import { booleanQuestion } from '@toolblocks/protocol'
import { Conversation, type Message } from '@toolblocks/react'
import type { ReactElement } from 'react'

const settle = (id: string, text: string, state: string): Message['parts'][number] => ({
  type: 'data-question',
  data: { id, tool: 'book_berth', request: booleanQuestion({ id, text }), blocks: [], state },
})

/** Questions of `@toolblocks/ai-sdk` that cannot be answered any more are one line in a conversation. */
const MESSAGES: readonly Message[] = [
  {
    id: '1',
    role: 'assistant',
    parts: [
      settle('power', 'Power on board?', 'answered'),
      settle('fuel', 'Fill the tank?', 'declined'),
    ],
  },
]

export function SettledQuestions(): ReactElement {
  return <Conversation messages={MESSAGES} label="Settled questions" />
}
