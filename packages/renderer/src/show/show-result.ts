import { requireArguments, requireChoices } from '@toolblocks/protocol/internal'
import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import type { ContentReaders } from './content-readers.ts'
import { showBlock, showBlockOfResult } from './show-block.ts'
import { type ShowOptions, SHOW_CHOICES, createShowContext } from './show-context.ts'
import { chooseStructured, showStructured } from './show-value.ts'
import type { ShownPart } from './shown-part.ts'
import { showFailure, showStderr, showTrace, showWarnings } from './summarize-result.ts'
import { field } from './read-value.ts'

/** A result for a person, in parts below each other. */
export interface ShownResult {
  /** That the call failed, and how; empty for a success. */
  failure: readonly ShownPart[]
  /** The result itself: its blocks in order, then structured content that no block shows. */
  answer: readonly ShownPart[]
  /** The causes of an error, output on standard error, skipped or repaired parts, a renderer that failed. */
  remarks: readonly ShownPart[]
}

/** Chooses what a person sees of a result, as plain JSON from which a terminal or a page is rendered. */
export function showResult(result: ToolResult, options: ShowOptions = {}): ShownResult {
  requireArguments('showResult(result, …)', [result, { content: 'array' }])
  requireChoices('showResult(result, options)', 'options', options, SHOW_CHOICES)
  const context = createShowContext(options, result.isError ? 'error' : 'success')
  const chosen = chooseStructured(result, options)
  const structured = showStructured(chosen, context)
  return {
    failure: result.isError ? [showFailure(result)] : [],
    answer: [
      ...chosen.content.map((block) => showBlockOfResult(block, context)),
      ...structured.parts,
      ...showApp(result),
    ],
    remarks: [
      ...(result.isError ? showTrace(result, context) : []),
      ...showStderr(result, options.stderr ?? 'name', context),
      ...showWarnings(result, context),
      ...structured.remarks,
    ],
  }
}

/** Returns the blocks of a result that `showResult` shows: the first parts of `answer` are theirs, one for each block, in the same order. */
export function findShownBlocks(
  result: ToolResult,
  options: Pick<ShowOptions, 'hiddenValues' | 'registry'> = {},
): readonly ContentBlock[] {
  requireArguments('findShownBlocks(result, …)', [result, { content: 'array' }])
  requireChoices('findShownBlocks(result, options)', 'options', options, SHOW_CHOICES)
  return chooseStructured(result, options).content
}

/** Shows blocks to a person without a result, for example those before a question: one part for each block. */
export function showBlocks(
  blocks: readonly ContentBlock[],
  options: ShowOptions = {},
): readonly ShownPart[] {
  requireArguments('showBlocks(blocks, …)', [blocks, 'array'])
  requireChoices('showBlocks(blocks, options)', 'options', options, SHOW_CHOICES)
  const context = createShowContext(options, 'success')
  return blocks.map((block) => showBlock(block, context))
}

/** Shows the page that a server offers for a result (MCP Apps) as a link. It is not opened. */
function showApp({ _meta }: ToolResult): readonly ShownPart[] {
  const uri = field(field(_meta, 'ui'), 'resourceUri')
  if (typeof uri !== 'string' || uri === '') return []
  return [{ kind: 'link', name: 'app', uri, facts: ['a page of the server, not opened', uri] }]
}

/** The readers that some results need, so that nothing else is loaded. */
export interface RequiredReaders {
  /** Languages of code, as `showResult` names them. */
  languages: readonly string[]
  /** Whether any of them has Markdown. */
  markdown: 'wanted' | 'none'
}

const FENCE = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*([\w+#.-]+)/gm

/** Returns the readers that results need; `undefined`: none. */
export function findRequiredReaders(
  results: readonly ToolResult[],
  options: Omit<ShowOptions, 'readers'> = {},
): RequiredReaders | undefined {
  requireArguments('findRequiredReaders(results, …)', [results, 'array'])
  requireChoices('findRequiredReaders(results, options)', 'options', options, SHOW_CHOICES)
  const languages = new Set<string>()
  let markdown: RequiredReaders['markdown'] = 'none'
  const readers: ContentReaders = {
    highlight: (_code, language) => {
      languages.add(language.toLowerCase())
      return undefined
    },
    readMarkdown: (text) => {
      markdown = 'wanted'
      for (const [, language = ''] of text.matchAll(FENCE)) languages.add(language.toLowerCase())
      return undefined
    },
  }
  for (const result of results) showResult(result, { ...options, readers })
  const isNone = languages.size === 0 && markdown === 'none'
  return isNone ? undefined : { languages: [...languages], markdown }
}
