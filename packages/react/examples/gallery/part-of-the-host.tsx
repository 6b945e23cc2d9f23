import { Conversation, type Message, type MessagePart } from '@toolblocks/react'
import type { ReactElement } from 'react'

/** A part that the host's server wrote into the message. */
function Weather({ part }: { part: MessagePart }): ReactElement {
  return (
    <p>
      <b>Weather:</b> {String(part['data'])}
    </p>
  )
}

const parts = { 'data-weather': Weather }
const MESSAGES: readonly Message[] = [
  {
    id: '1',
    role: 'assistant',
    parts: [
      { type: 'data-weather', data: '14 °C, wind from the north-west' },
      { type: 'text', text: 'A good day to leave the harbour.' },
    ],
  },
]

export function PartOfTheHost(): ReactElement {
  return <Conversation messages={MESSAGES} parts={parts} label="Weather" />
}
