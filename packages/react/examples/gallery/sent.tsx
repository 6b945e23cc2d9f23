import type { ReactElement } from 'react'

/** What an example sends to its host, as JSON. A host sends it to its server. */
export function Sent({ value }: { value: unknown }): ReactElement {
  return (
    <pre className="sent" role="status" aria-label="Sent">
      {value === undefined ? 'Nothing was sent yet.' : JSON.stringify(value, null, 2)}
    </pre>
  )
}
