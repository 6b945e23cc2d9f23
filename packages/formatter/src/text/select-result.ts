import {
  appendPointer,
  findBlocksWithJson,
  findResultData,
  formatNote,
  isRepeatedContent,
  quoteInNote,
  selectData,
  splitPointer,
} from '@toolblocks/protocol/internal'
import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { oneLine } from './model-text.ts'
import type { ResultPart } from './parts.ts'

/** The selected parts of a result. */
export interface Selection {
  result: ToolResult
  /** The path of a part that has more than was selected; absent if nothing was left out. */
  more?: string
}

/**
 * Returns the parts of a result that its host has selected for a model (`metadata.select`): of structured content and of the texts that repeat it, or else of the JSON in
 * the only text. Blocks keep their indexes.
 */
export function selectResult(result: ToolResult): Selection {
  const { content, isError, metadata: { select = [] } = {} } = result
  const data = select.length === 0 || isError ? undefined : findResultData(result)
  const { selected } = data ? selectData(data.value, select) : {}
  if (!data || !selected) return { result }
  const text = JSON.stringify(selected.value)
  if (text.length === JSON.stringify(data.value).length) return { result }
  const repeating =
    data.block === undefined
      ? findRepeating(content, data.value)
      : content.slice(data.block).slice(0, 1)
  const [first] = repeating
  const blocks = content.map((block) =>
    block.type === 'text' && repeating.includes(block)
      ? { ...block, text: block === first ? text : '' }
      : block,
  )
  return {
    result: {
      ...result,
      content: blocks,
      ...(data.block === undefined && { structuredContent: selected.value }),
    },
    more: nameMore(select),
  }
}

/** Returns the texts that repeat structured content, together or each. */
function findRepeating(content: readonly ContentBlock[], value: unknown): readonly ContentBlock[] {
  const same = findBlocksWithJson(content, value)
  if (same.size > 0) return [...same]
  return isRepeatedContent(content, value) ? content.filter(({ type }) => type === 'text') : []
}

/** Returns an example of a path with more than what was selected: the first item of a list, or what is around the value. */
function nameMore([path = '']: readonly string[]): string {
  const steps = splitPointer(path)
  const every = steps.indexOf('*')
  const above = every === -1 ? steps.slice(0, -1) : [...steps.slice(0, every), '0']
  return above.reduce<string>(appendPointer, '')
}

/** Says that only a part of a result is given, and how to read the rest. */
export function describeSelection(
  { result, more }: Selection,
  { readTool }: { readTool?: string } = {},
): readonly ResultPart[] {
  if (more === undefined) return []
  const how =
    readTool === undefined
      ? 'No tool reads the rest.'
      : `The tool ${oneLine(readTool)} reads the rest: call ${oneLine(quoteInNote(result.id ?? ''))}, path such as ${oneLine(quoteInNote(more))}.`
  return [{ from: 'host', text: formatNote(`Above are only selected parts of the data. ${how}`) }]
}
