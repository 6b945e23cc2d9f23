import type { InputRequest } from '@toolblocks/protocol'
import { type DraftStorage, type PersonAnswer, QuestionForm } from '@toolblocks/react'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

const QUESTION: InputRequest = {
  id: 'login',
  text: 'Log in to the harbour office',
  schema: {
    type: 'object',
    required: ['user', 'password'],
    properties: {
      user: { type: 'string', title: 'User' },
      password: { type: 'string', title: 'Password', format: 'password' },
    },
  },
}

/** The draft is still there after a reload. Secrets are never in it. A server has no storage, so it is found when a draft is read. */
const drafts: DraftStorage = {
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, value) => sessionStorage.setItem(key, value),
  removeItem: (key) => sessionStorage.removeItem(key),
}

export function Secret(): ReactElement {
  const [answer, setAnswer] = useState<PersonAnswer>()
  return (
    <>
      <QuestionForm
        question={QUESTION}
        onAnswer={setAnswer}
        drafts={drafts}
        draftKey="call-11/login"
      />
      <Sent value={answer} />
    </>
  )
}
