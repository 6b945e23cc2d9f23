import type { FileContentValue, ToolResult as Result } from '@toolblocks/protocol'
import { ToolResult } from '@toolblocks/react'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import type { ReactElement } from 'react'

const content = `/** The seconds between two flashes. */
export const PERIODS = { east: 4, west: 10 }

export function findNextFlash(light: keyof typeof PERIODS, now = Date.now()) {
  const period = PERIODS[light] * 1000
  return new Date(now + period - (now % period))
}
`
const FILE: FileContentValue = {
  kind: 'file_content',
  data: { path: 'src/lights.ts', content, size: content.length },
}
const RESULT: Result = { content: [], structuredContent: FILE, isError: false }

const readers = await loadContentReaders()

export function Code(): ReactElement {
  return <ToolResult result={RESULT} readers={readers} />
}
