import type { InputRequest, Problem } from '@toolblocks/protocol'
import { type PersonAnswer, QuestionForm } from '@toolblocks/react'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

const QUESTION: InputRequest = {
  id: 'boat',
  text: 'Register a boat',
  schema: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', title: 'Name', minLength: 2 } },
  },
}

/** Stands for your server, which checks each answer again. */
async function checkOnServer(answer: PersonAnswer): Promise<readonly Problem[]> {
  const isTaken = answer.action === 'accept' && JSON.stringify(answer.value).includes('Ada')
  return isTaken ? [{ path: '/name', message: 'Ada is already registered.' }] : []
}

/** Send a short name to see the problems of the form, and `Ada` to see one of the server. */
export function ProblemsOfTheServer(): ReactElement {
  const [accepted, setAccepted] = useState<PersonAnswer>()
  return (
    <>
      <QuestionForm
        question={QUESTION}
        onAnswer={async (answer) => {
          const problems = await checkOnServer(answer)
          if (problems.length === 0) setAccepted(answer)
          return problems
        }}
      />
      <Sent value={accepted} />
    </>
  )
}
