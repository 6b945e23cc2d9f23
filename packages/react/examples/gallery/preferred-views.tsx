import type { ToolResultValue } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { type ReactElement, useState } from 'react'
import { PICTURE } from './media.ts'

const readers = await loadContentReaders()
const kind = 'harbour.report'

/** Values of a kind that no renderer knows. Each asks for a view. */
const VALUES: readonly ToolResultValue[] = [
  { kind, data: [{ pier: 'east', lamps: 7 }], display: { preferredView: 'table' } },
  { kind, data: { pier: { east: 7, west: 5 } }, display: { preferredView: 'tree' } },
  { kind, data: { pier: { east: 7, west: 5 } }, display: { preferredView: 'raw' } },
  { kind, data: '*7* lamps', display: { preferredView: 'text' } },
  { kind, data: '*7* lamps', display: { preferredView: 'markdown' } },
  { kind, data: 'let lamps = 7', display: { preferredView: 'code', language: 'rust' } },
  { kind, data: '@@ -1 +1 @@\n-lamps: 7\n+lamps: 12\n', display: { preferredView: 'diff' } },
  { kind, data: { base64: PICTURE }, display: { preferredView: 'image' } },
  { kind, data: { key: 'for programs' }, display: { preferredView: 'hidden' } },
]

export function PreferredViews(): ReactElement {
  const [chosen, setChosen] = useState(0)
  return (
    <>
      <label className="tb">
        Preferred view{' '}
        <select value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
          {VALUES.map(({ display }, index) => (
            <option key={index} value={index}>
              {display?.preferredView}
            </option>
          ))}
        </select>
      </label>
      <ToolResult
        result={{ content: [], structuredContent: VALUES[chosen], isError: false }}
        readers={readers}
      />
    </>
  )
}
