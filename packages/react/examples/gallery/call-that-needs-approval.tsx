import { type ApprovalResponse, ToolPart, type ToolPartData } from '@toolblocks/react'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

const ASKED: ToolPartData = {
  type: 'tool-book_berth',
  toolCallId: 'call-4',
  state: 'approval-requested',
  input: { boat: 'Ada', berth: 2 },
  approval: { id: 'approval-4', requestReason: 'The booking costs 40 €.' },
}

export function CallThatNeedsApproval(): ReactElement {
  const [part, setPart] = useState(ASKED)
  const [response, setResponse] = useState<ApprovalResponse>()
  const approve = (approval: ApprovalResponse): void => {
    setResponse(approval)
    setPart({ ...ASKED, state: 'approval-responded', approval })
  }
  return (
    <>
      <ToolPart part={part} onApproval={approve} />
      <Sent value={response} />
    </>
  )
}
