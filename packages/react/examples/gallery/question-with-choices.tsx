import { selectQuestion } from '@toolblocks/protocol'
import { type PersonAnswer, QuestionForm } from '@toolblocks/react'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

const QUESTION = selectQuestion({
  id: 'berth',
  text: 'Which berth?',
  options: ['East 2', 'East 5', 'West 1'],
})

export function QuestionWithChoices(): ReactElement {
  const [answer, setAnswer] = useState<PersonAnswer>()
  return (
    <>
      <QuestionForm question={QUESTION} onAnswer={setAnswer} />
      <Sent value={answer} />
    </>
  )
}
