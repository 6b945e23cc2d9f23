import { requireArguments, describeMissingPeer } from '@toolblocks/protocol/internal'
import type { ContentReaders } from '../show/content-readers.ts'
import type { RequiredReaders } from '../show/show-result.ts'
import { GRAMMARS, findGrammar } from './grammars.ts'

/**
 * Loads the Markdown reader and the code highlighter, with lowlight, highlight.js, marked and entities, which are optional peers. Loads all
 * languages, or those that some results need (`findRequiredReaders`). Rejects if a required peer is not installed: the error has the code
 * `ERR_MODULE_NOT_FOUND` and says what to install.
 */
export async function loadContentReaders(
  wanted: RequiredReaders | 'all' = 'all',
): Promise<ContentReaders> {
  if (wanted !== 'all')
    requireArguments('loadContentReaders(wanted)', [wanted, { languages: 'array' }])
  const languages = wanted === 'all' ? Object.keys(GRAMMARS) : wanted.languages
  const names = new Set(languages.map(findGrammar).filter((name) => name !== undefined))
  const highlight = names.size === 0 ? () => undefined : await loadHighlighter([...names])
  if (wanted !== 'all' && wanted.markdown === 'none')
    return { highlight, readMarkdown: () => undefined }
  const { createMarkdownReader } = await import('./read-markdown.ts').catch(explainMissing)
  return { highlight, readMarkdown: createMarkdownReader(highlight) }
}

async function loadHighlighter(
  names: readonly (keyof typeof GRAMMARS)[],
): Promise<ContentReaders['highlight']> {
  const { createHighlighter } = await import('./highlight-code.ts').catch(explainMissing)
  const grammars = await Promise.all(
    names.map(
      async (name) => [name, (await GRAMMARS[name]().catch(explainMissing)).default] as const,
    ),
  )
  return createHighlighter(Object.fromEntries(grammars))
}

/** The optional peers that are loaded here. */
const PEERS: readonly string[] = ['entities', 'highlight.js', 'lowlight', 'marked']

function explainMissing(cause: unknown): never {
  const entry = '@toolblocks/renderer/readers'
  throw PEERS.reduce((error, peer) => describeMissingPeer(error, { entry, peer }), cause)
}
