import { selectQuestion, type ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import type { ReactElement } from 'react'

const RESULT: Result = {
  content: [
    { type: 'text', text: 'Berths 2 and 5 are free.' },
    {
      type: 'question',
      question: selectQuestion({ id: 'berth', text: 'Which berth?', options: ['2', '5'] }),
    },
  ],
  isError: false,
}

export function QuestionInAResult(): ReactElement {
  return <ToolResult result={RESULT} />
}
