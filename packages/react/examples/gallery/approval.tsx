import { ApprovalCard, type Decision } from '@toolblocks/react'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

const CALL = { name: 'book_berth', arguments: { boat: 'Ada', berth: 2, services: ['water'] } }

export function Approval(): ReactElement {
  const [decision, setDecision] = useState<Decision>()
  return (
    <>
      <ApprovalCard call={CALL} onDecide={setDecision} />
      <Sent value={decision} />
    </>
  )
}
