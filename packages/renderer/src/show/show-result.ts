import type { ToolResult } from '@toolblocks/protocol'
import type { ContentReaders } from './content-readers.ts'
import { showBlockOfResult } from './show-block.ts'
import { type ShowOptions, createShowContext } from './show-context.ts'
import { chooseStructured, showStructured } from './show-value.ts'
import type { ShownPart } from './shown-part.ts'
import { showFailure, showStderr, showTrace, showWarnings } from './summarize-result.ts'
import { field } from './read-value.ts'

/** A result as a person is shown it, in parts below each other. */
export interface ShownResult {
  /** That the call failed, and how; none for a success. */
  failure: readonly ShownPart[]
  /** What the tool answered: its blocks in their order, then structured content that no block tells. */
  answer: readonly ShownPart[]
  /** The causes of an error, what the tool said beside its answer, what was skipped or repaired, a renderer that failed. */
  remarks: readonly ShownPart[]
}

/** Chooses what a person is shown of a result, as plain JSON that a terminal or a page is written from. */
export function showResult(result: ToolResult, options: ShowOptions = {}): ShownResult {
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

/** The page that a server offers for a result (MCP Apps), as a link: nothing here opens it. */
function showApp({ _meta }: ToolResult): readonly ShownPart[] {
  const uri = field(field(_meta, 'ui'), 'resourceUri')
  if (typeof uri !== 'string' || uri === '') return []
  return [{ kind: 'link', name: 'app', uri, facts: ['a page of the server, not opened', uri] }]
}

/** What reading some results needs, so that nothing else is loaded for it. */
export interface RequiredReaders {
  /** Languages of code, as `showResult` calls them. */
  languages: readonly string[]
  /** Whether any of them has Markdown. */
  markdown: 'wanted' | 'none'
}

const FENCE = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*([\w+#.-]+)/gm

/** Says what readers results would be shown with; `undefined`: none. */
export function findRequiredReaders(
  results: readonly ToolResult[],
  options: Omit<ShowOptions, 'readers'> = {},
): RequiredReaders | undefined {
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
