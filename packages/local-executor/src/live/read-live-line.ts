import { parseToolOutput } from '@toolblocks/parser'
import {
  META_RE,
  readStatus,
  type Problem,
  type Status,
  type ToolResult,
} from '@toolblocks/protocol'

/** One line of a live tool. */
export interface LiveLine {
  /** The `seq` of the request it answers; absent: said without being asked. */
  re?: number
  /** Absent for text, which says nothing about the tool. */
  status?: Status
  result: ToolResult
  warnings: readonly Problem[]
}

/** Reads one line: a response document, or any text, kept as it was with its line end. */
export function readLiveLine(line: Uint8Array, dialect: 'blocks' | 'outcome'): LiveLine {
  const { result, warnings, format } = parseToolOutput(line, { dialect })
  if (format === 'raw') return { result: { ...result, content: withLineEnd(result) }, warnings }
  const { _meta: meta } = result
  const re: unknown = meta && Object.hasOwn(meta, META_RE) ? meta[META_RE] : undefined
  return {
    ...(typeof re === 'number' && { re }),
    status: readStatus(result),
    result,
    warnings,
  }
}

function withLineEnd({ content }: ToolResult): ToolResult['content'] {
  return content.map((block) =>
    block.type === 'text' ? { ...block, text: `${block.text}\n` } : block,
  )
}
