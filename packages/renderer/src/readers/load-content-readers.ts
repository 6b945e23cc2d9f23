import type { ContentReaders } from '../show/content-readers.ts'
import type { RequiredReaders } from '../show/show-result.ts'
import { GRAMMARS, getGrammar } from './highlight-code.ts'

/**
 * Loads what reads Markdown and highlights code: with lowlight, highlight.js, marked and entities, which are optional peers. Loads all
 * languages it knows, or what some results need, as `findRequiredReaders` says.
 */
export async function loadContentReaders(
  wanted: RequiredReaders | 'all' = 'all',
): Promise<ContentReaders> {
  const languages = wanted === 'all' ? Object.keys(GRAMMARS) : wanted.languages
  const names = new Set(languages.map(getGrammar).filter((name) => name !== undefined))
  const highlight = names.size === 0 ? () => undefined : await loadHighlighter([...names])
  if (wanted !== 'all' && wanted.markdown === 'none')
    return { highlight, readMarkdown: () => undefined }
  const { createMarkdownReader } = await import('./read-markdown.ts')
  return { highlight, readMarkdown: createMarkdownReader(highlight) }
}

async function loadHighlighter(
  names: readonly (keyof typeof GRAMMARS)[],
): Promise<ContentReaders['highlight']> {
  const { createHighlighter } = await import('./highlight-code.ts')
  const grammars = await Promise.all(
    names.map(async (name) => [name, (await GRAMMARS[name]()).default] as const),
  )
  return createHighlighter(Object.fromEntries(grammars))
}
