import type { ToolResult as Result, ToolResultValue } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import { createRendererRegistry } from '@toolblocks/renderer'
import type { ReactElement } from 'react'

/** The values of a tool are unchecked, so the component checks them. */
function Tide({ value: { data } }: { value: ToolResultValue }): ReactElement {
  const percent = typeof data === 'number' ? Math.min(Math.max(data, 0), 100) : 0
  return (
    <label>
      Tide <meter value={percent} max={100} /> {percent} %
    </label>
  )
}

// Objects in the properties are created once, outside of the component.
const renderers = { 'harbour.tide': Tide }

// A renderer that returns parts also works in a terminal.
const registry = createRendererRegistry().register('harbour.depth', ({ data }) => [
  { kind: 'facts', name: `${String(data)} m`, facts: ['depth at low tide'] },
])

const toResult = (value: ToolResultValue): Result => ({
  content: [],
  structuredContent: value,
  isError: false,
})
const TIDE = toResult({ kind: 'harbour.tide', data: 64, summary: 'Tide at noon' })
const DEPTH = toResult({ kind: 'harbour.depth', data: 2.5 })

export function KindOfTheHost(): ReactElement {
  return (
    <>
      <ToolResult result={TIDE} renderers={renderers} registry={registry} />
      <ToolResult result={DEPTH} renderers={renderers} registry={registry} />
    </>
  )
}
