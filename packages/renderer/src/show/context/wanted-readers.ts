import type { ToolResult } from '@toolblocks/protocol'
import type { ContentReaders } from './content-readers.ts'
import type { ShowOptions } from './show-options.ts'
import { showResult } from '../show-result.ts'

/** What reading some results needs, so that nothing else is loaded for it. */
export interface WantedReaders {
  /** Languages of code, as `showResult` calls them. */
  languages: readonly string[]
  markdown: 'wanted' | 'none'
}

const FENCE = /^[ \t>]*(?:`{3,}|~{3,})[ \t]*([\w+#.-]+)/gm

/** Says what readers results would be shown with; `undefined`: none. */
export function findWantedReaders(
  results: readonly ToolResult[],
  options: Omit<ShowOptions, 'readers'> = {},
): WantedReaders | undefined {
  const languages = new Set<string>()
  let markdown: WantedReaders['markdown'] = 'none'
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
