import { requireArguments } from '@toolblocks/protocol/internal'
import { type ContentBlock, type ToolResult, getAudience, getText } from '@toolblocks/protocol'
import { isLikeNote } from '../text/host-notes.ts'
import type { ResultPart } from '../text/parts.ts'
import { describeSelection, selectResult } from '../text/select-result.ts'
import { cutBlock, describeCut, describeStructure, splitBudget } from './deliver-result.ts'
import { shortenStructure } from './shorten-structure.ts'

/** Options of `limitResult`. */
export interface LimitOptions {
  /** Maximum characters (UTF-16 code units) of all texts. The largest are truncated first. */
  budget: number
  /** The name of the tool that reads omitted content, for the notes. Default: no tool. */
  readTool?: string
  /**
   * Whether structured content is what the `outputSchema` of the tool promises. Structured content over the budget is then shortened so that it still
   * is; if that is impossible, it stays whole. Default: nothing is promised.
   */
  isPromised?: (structuredContent: unknown) => boolean
  /** For whom the result is. `assistant`: blocks for the user alone are left out. Default: `everyone`. */
  audience?: 'everyone' | 'assistant'
}

/**
 * Leaves out what is not selected for a model, and truncates the texts of a result in their middle, for a client that receives blocks. Behind each truncated block, a text says how much is missing. Media
 * are unchanged. Structured content over the budget is shortened, and a text says so: if it is promised, as `isPromised` says; otherwise it is omitted,
 * and without blocks it is shortened in any way. A text stands before each block of the tool with a line like such a note. A result within the budget is returned as it is otherwise.
 */
export function limitResult(result: ToolResult, limits: LimitOptions): ToolResult {
  requireArguments(
    'limitResult(result, limits)',
    [result, { content: 'array' }],
    [limits, { budget: 'number' }],
  )
  const selection = selectResult(result)
  const limited = limitSelected(selection.result, limits)
  const notes = describeSelection(selection, limits).map(toNote)
  if (notes.length === 0) return limited
  // A client needs no blocks whose text is in the first one.
  const content = limited.content.filter((block) => block.type !== 'text' || block.text !== '')
  return { ...limited, content: [...content, ...notes] }
}

function limitSelected(result: ToolResult, limits: LimitOptions): ToolResult {
  const { budget, audience = 'everyone', isPromised: _isPromised, ...options } = limits
  const isLeftOut = (block: ContentBlock): boolean =>
    audience === 'assistant' && getAudience(block) === 'user'
  const lengths = result.content.map((block) => (isLeftOut(block) ? 0 : getLength(block)))
  const share = splitBudget(lengths, budget)
  const structure = limitStructure(result, limits)
  const likeNotes = new Set(
    result.content.filter((block) => !isLeftOut(block) && isLikeNote(getText(block) ?? '')),
  )
  if (share === Infinity && !structure && likeNotes.size === 0) return result
  const content = result.content.flatMap((block, index): readonly ContentBlock[] => {
    if (isLeftOut(block)) return []
    const before = likeNotes.has(block) ? [LIKE_A_NOTE] : []
    const cut = (lengths[index] ?? 0) > share ? cutBlock(block, share) : undefined
    if (!cut) return [...before, block]
    const { text } = describeCut(cut, { index, options, result })
    return [...before, cut.block, { type: 'text', text }]
  })
  if (!structure) return { ...result, content }
  const { structuredContent: _whole, ...rest } = result
  return { ...rest, ...structure.fields, content: [...content, structure.note] }
}

/** Before a text, so that the text cannot deny it. */
const LIKE_A_NOTE: ContentBlock = {
  type: 'text',
  text: '[The next text has a line like a note about omitted content: the tool wrote it.]',
}

/** Structured content within the budget, and the text that tells of it. */
interface LimitedStructure {
  readonly fields: Pick<ToolResult, 'structuredContent'>
  readonly note: ContentBlock
}

/** Limits structured content; `undefined` if it stays as it is. */
function limitStructure(
  result: ToolResult,
  { budget, isPromised, ...options }: LimitOptions,
): LimitedStructure | undefined {
  const { content, isError, structuredContent: whole } = result
  const { length } = 'structuredContent' in result ? JSON.stringify(whole) : ''
  if (length <= budget) return undefined
  // Clients check the structured content of a success only. Alone, it is the result, so a part of it is better than none.
  const promised = isError ? undefined : isPromised
  if (promised || content.length === 0) {
    const structuredContent = shortenStructure(whole, budget, promised ?? (() => true))
    if (structuredContent !== undefined) return noteShortened(structuredContent)
    // What is promised stays whole if it cannot be shortened, and so does what could be read nowhere.
    if (promised || options.readTool === undefined) return undefined
  }
  return {
    fields: {},
    note: toNote(describeStructure(`of ${length} characters was omitted`, { options, result })),
  }

  function noteShortened(structuredContent: unknown): LimitedStructure {
    const left = JSON.stringify(structuredContent).length
    return {
      fields: { structuredContent },
      note: toNote(
        describeStructure(`was shortened from ${length} to ${left} characters`, {
          options,
          result,
        }),
      ),
    }
  }
}

function toNote({ text }: ResultPart): ContentBlock {
  return { type: 'text', text }
}

function getLength(block: ContentBlock): number {
  if (block.type === 'text') return block.text.length
  if (block.type !== 'resource') return 0
  return (block.formatted ?? block.resource.text ?? '').length
}
