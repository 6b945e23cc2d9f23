import { parseToolOutput } from '@toolblocks/parser'
import { type Problem, type Status, type ToolResult, readStatus } from '@toolblocks/protocol'
import { META_RE } from '@toolblocks/protocol/internal'

/** One line of a live tool, or several that were joined. */
export interface LiveLine {
  /** The `seq` of the request that it answers. Absent: sent without a request. */
  re?: number
  /** Absent for text, which does not change the tool's status. */
  status?: Status
  result: ToolResult
  warnings: readonly Problem[]
}

/** Reads one line: a response document, or any text, kept unchanged with its line end. */
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

/**
 * Joins lines into one with the number and the status of the last. An error stays an error. The last data is that of the result, and data before it is
 * text.
 */
export function joinLines(lines: readonly LiveLine[]): LiveLine {
  const results = lines.map(({ result }) => result)
  const data = results.findLast((result) => 'structuredContent' in result)
  let joined: ToolResult = { content: [], isError: false }
  for (const result of results) {
    const meta = { ...joined._meta, ...result._meta }
    joined = { ...joined, ...result, ...(Object.keys(meta).length > 0 && { _meta: meta }) }
  }
  const content = results.flatMap((result) => [
    ...result.content,
    ...('structuredContent' in result && result !== data
      ? [{ type: 'text', text: JSON.stringify(result.structuredContent) } as const]
      : []),
  ])
  return {
    ...lines.at(-1),
    result: { ...joined, content, isError: results.some(({ isError }) => isError) },
    warnings: lines.flatMap(({ warnings }) => warnings),
  }
}
