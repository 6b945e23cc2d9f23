import type { ContentBlock } from '@toolblocks/protocol'
import { ApprovalCard, type Decision } from '@toolblocks/react'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { type ReactElement, useState } from 'react'
import { Sent } from './sent.tsx'

const readers = await loadContentReaders()

const CALL = {
  name: 'edit_file',
  arguments: { path: '/harbour/book.txt', find: 'berth 2: free', replace: 'berth 2: Ada' },
}

/** What the tool says about the call. It is untrusted, so the arguments are shown too. */
const material: readonly ContentBlock[] = [
  {
    type: 'resource',
    resource: {
      uri: 'file:///harbour/book.diff',
      mimeType: 'text/x-diff',
      text: '@@ -1,3 +1,3 @@\n berth 1: Heron\n-berth 2: free\n+berth 2: Ada\n berth 3: free\n',
    },
  },
]

export function ApprovalWithMaterial(): ReactElement {
  const [decision, setDecision] = useState<Decision>()
  const [attempts, setAttempts] = useState(0)
  return (
    <>
      <ApprovalCard
        call={CALL}
        material={material}
        reason="This tool may change files, so a person decides about each call."
        readers={readers}
        root="/harbour"
        onDecide={async (response) => {
          setAttempts(attempts + 1)
          // The card stays open if the decision cannot be sent.
          if (attempts === 0) throw new Error('offline')
          setDecision(response)
        }}
      />
      <Sent value={decision} />
    </>
  )
}
