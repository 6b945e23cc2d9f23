import type { InputRequest } from '@toolblocks/protocol'
import { type PersonAnswer, QuestionForm } from '@toolblocks/react'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

/** No fields fit the schema, so the answer is typed as JSON. */
const QUESTION: InputRequest = {
  id: 'route',
  text: 'Which route?',
  schema: {
    type: 'array',
    items: { type: 'object', properties: { port: { type: 'string' }, day: { type: 'integer' } } },
  },
  default: [{ port: 'Hull', day: 1 }],
}

export function AnswerAsJson(): ReactElement {
  const [answer, setAnswer] = useState<PersonAnswer>()
  return (
    <>
      <QuestionForm question={QUESTION} onAnswer={setAnswer} />
      <Sent value={answer} />
    </>
  )
}
