import type { ContentBlock, InputRequest } from '@toolblocks/protocol'
import { type PersonAnswer, QuestionForm } from '@toolblocks/react'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

const readers = await loadContentReaders()

const QUESTION: InputRequest = {
  id: 'pay',
  text: 'Is the booking paid?',
  schema: { type: 'boolean' },
  url: 'https://example.com/pay/4711',
}

/** What the tool showed around its question. Nothing of it is cut or folded. */
const before: readonly ContentBlock[] = [
  { type: 'text', mimeType: 'text/markdown', text: 'Berth 2 costs **40 €** for *three* nights.' },
]
const after: readonly ContentBlock[] = [
  { type: 'text', text: 'The berth is kept for ten minutes.' },
]

export function QuestionWithContext(): ReactElement {
  const [answer, setAnswer] = useState<PersonAnswer>()
  return (
    <>
      <QuestionForm
        question={QUESTION}
        before={before}
        after={after}
        readers={readers}
        onAnswer={setAnswer}
      />
      <Sent value={answer} />
    </>
  )
}
