import type { InputRequest } from '@toolblocks/protocol'
import { type PersonAnswer, QuestionForm } from '@toolblocks/react'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

const QUESTION: InputRequest = {
  id: 'booking',
  text: 'Who comes to berth 2?',
  schema: {
    type: 'object',
    required: ['boat', 'nights', 'power', 'arrival'],
    properties: {
      boat: { type: 'string', title: 'Name of the boat', minLength: 2, description: 'On its bow.' },
      length: { type: 'number', title: 'Length', description: 'In metres.', maximum: 20 },
      nights: { type: 'integer', title: 'Nights', minimum: 1, default: 1 },
      power: { type: 'boolean', title: 'Power on board?' },
      side: {
        title: 'Side',
        oneOf: [
          { const: 'port', title: 'Left side to the pier' },
          { const: 'starboard', title: 'Right side to the pier' },
        ],
      },
      services: {
        type: 'array',
        title: 'Services',
        items: { type: 'string', enum: ['water', 'fuel', 'laundry'] },
        default: ['water'],
      },
      arrival: { type: 'string', title: 'Arrival', enum: HOURS },
      crew: { type: 'array', title: 'Crew', items: { type: 'string' }, maxItems: 8 },
    },
  },
}

export function FormWithEveryField(): ReactElement {
  const [answer, setAnswer] = useState<PersonAnswer>()
  return (
    <>
      <QuestionForm question={QUESTION} onAnswer={setAnswer} />
      <Sent value={answer} />
    </>
  )
}
