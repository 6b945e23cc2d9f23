import { languageForMimeType, languageForPath } from '@toolblocks/media-type'
import type { ToolResultValue } from '@toolblocks/protocol'
import type { CodeToken } from './content-readers.ts'
import type { ValueRendererContext } from './show-context.ts'
import type { ShownPart } from './shown-part.ts'
import { field } from './read-value.ts'

/** Shows text unchanged, as Markdown, or as code in its language. */
export function showText(
  text: string,
  view: 'text' | 'markdown' | 'code',
  { data, mimeType, display }: Pick<ToolResultValue, 'data' | 'mimeType' | 'display'>,
  context: Pick<ValueRendererContext, 'cut' | 'readers'>,
): ShownPart {
  switch (view) {
    case 'text':
      return { kind: 'text', ...context.cut(text) }
    case 'markdown':
      return showMarkdown(text, context)
    case 'code': {
      const path = field(data, 'path')
      const language = display?.language
      return showCode(text, context, {
        mimeType,
        language,
        path: typeof path === 'string' ? path : undefined,
      })
    }
  }
}

/** Without a Markdown reader, it is text. */
function showMarkdown(
  text: string,
  { cut, readers }: Pick<ValueRendererContext, 'cut' | 'readers'>,
): ShownPart {
  const truncated = cut(text)
  const blocks = readers?.readMarkdown(truncated.first)
  const end = truncated.last === '' ? [] : readers?.readMarkdown(truncated.last)
  if (!blocks || !end) return { kind: 'text', ...truncated }
  if (end.length === 0) return { kind: 'markdown', blocks, left: truncated.left }
  return {
    kind: 'group',
    parts: [
      { kind: 'markdown', blocks, left: truncated.left },
      { kind: 'markdown', blocks: end, left: 0 },
    ],
  }
}

/** The known facts of code. */
interface CodeFacts {
  mimeType?: string | undefined
  /** From a hint; overrides the type and the path. */
  language?: string | undefined
  path?: string | undefined
}

/** Shows the content of a file or resource, in the tokens of its language if known. */
export function showCode(
  text: string,
  { cut, readers }: Pick<ValueRendererContext, 'cut' | 'readers'>,
  { mimeType, language: named, path }: CodeFacts = {},
): ShownPart {
  if (text === '') return { kind: 'empty' }
  const language =
    named ??
    (mimeType === undefined ? undefined : languageForMimeType(mimeType)) ??
    (path === undefined ? undefined : languageForPath(path))
  const truncated = cut(text)
  const findPieces = (code: string): readonly CodeToken[] | undefined =>
    code === '' ? [] : readers?.highlight(code, language ?? '')
  const first = language === undefined ? undefined : findPieces(truncated.first)
  const last = language === undefined ? undefined : findPieces(truncated.last)
  return {
    kind: 'code',
    ...(mimeType !== undefined && { mimeType }),
    ...(language !== undefined && { language }),
    ...(first && last && { tokens: { first, last } }),
    ...truncated,
  }
}
