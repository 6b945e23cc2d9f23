import { booleanQuestion, type InputRequest, textQuestion } from '@toolblocks/protocol'
import { type PersonAnswer, QuestionForm } from '@toolblocks/react'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

/** The label of the field is the text of the question. A default is filled in, and never sent without a person. */
const QUESTIONS: readonly InputRequest[] = [
  booleanQuestion({ id: 'leave', text: 'Leave the berth tonight?', default: false }),
  textQuestion({ id: 'skipper', text: 'Who is the skipper?', default: 'Grace' }),
  { id: 'depth', text: 'Which depth does the boat need?', schema: { type: 'number', minimum: 1 } },
]

export function QuestionsForOneValue(): ReactElement {
  const [sent, setSent] = useState<Record<string, PersonAnswer>>()
  return (
    <>
      {QUESTIONS.map((question) => (
        <QuestionForm
          key={question.id}
          question={question}
          onAnswer={(answer) => setSent({ ...sent, [question.id]: answer })}
        />
      ))}
      <Sent value={sent} />
    </>
  )
}
