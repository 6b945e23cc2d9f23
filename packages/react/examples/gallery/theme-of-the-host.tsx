import { ApprovalCard } from '@toolblocks/react'
import type { ReactElement } from 'react'

const CALL = { name: 'sound_horn', arguments: { seconds: 5 } }

/** Its stylesheet sets the variables of the components. */
export function ThemeOfTheHost(): ReactElement {
  return (
    <div className="harbour-theme">
      <ApprovalCard call={CALL} onDecide={() => {}} />
    </div>
  )
}
