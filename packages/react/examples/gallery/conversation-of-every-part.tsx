import { selectQuestion } from '@toolblocks/protocol'
import { Conversation, type Message } from '@toolblocks/react'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { type ReactElement, useState } from 'react'
import { PICTURE } from './media.ts'
import { Sent } from './sent.tsx'

const readers = await loadContentReaders()

/** For example the `messages` of `useChat`. */
const MESSAGES: readonly Message[] = [
  {
    id: '1',
    role: 'user',
    parts: [
      { type: 'text', text: 'Find a berth for the boat in this picture.' },
      {
        type: 'file',
        mediaType: 'image/png',
        filename: 'boat.png',
        url: `data:image/png;base64,${PICTURE}`,
      },
    ],
  },
  {
    id: '2',
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'The picture shows a lighthouse and no boat.', state: 'done' },
      { type: 'text', text: 'I see a **lighthouse**. I look for free berths first.' },
      {
        type: 'tool-list_berths',
        toolCallId: 'call-20',
        state: 'output-available',
        input: { free: true },
        output: { content: [{ type: 'text', text: 'Berths 2 and 5 are free.' }], isError: false },
      },
      { type: 'source-url', url: 'https://example.com/berths', title: 'Berths of the harbour' },
      { type: 'source-document', mediaType: 'application/pdf', title: 'Rules of the harbour' },
      {
        type: 'tool-book_berth',
        toolCallId: 'call-21',
        state: 'approval-requested',
        input: { berth: 2 },
        approval: { id: 'approval-21' },
      },
      {
        type: 'data-question',
        data: {
          id: 'question-1',
          tool: 'book_berth',
          request: selectQuestion({
            id: 'side',
            text: 'Which side to the pier?',
            options: ['left', 'right'],
          }),
          blocks: [],
          state: 'open',
        },
      },
    ],
  },
]

export function ConversationOfEveryPart(): ReactElement {
  const [sent, setSent] = useState<unknown>()
  return (
    <>
      <Conversation
        conversation="harbour-1"
        messages={MESSAGES}
        label="Booking a berth"
        readers={readers}
        onApproval={setSent}
        onAnswer={(id, answer) => setSent({ id, answer })}
      />
      <Sent value={sent} />
    </>
  )
}
