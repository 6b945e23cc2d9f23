import { languageForMimeType, languageForPath } from '@toolblocks/media-type'
import type { CodeToken } from '../context/content-readers.ts'
import type { ValueContext } from '../context/show-context.ts'
import type { ShownPart } from '../shown-part.ts'

/** What is known of a code. */
interface CodeFacts {
  mimeType?: string | undefined
  /** As a hint says; taken before what the type and the path say. */
  language?: string | undefined
  path?: string | undefined
}

/** The content of a file or resource, in the pieces of its language where that is known. */
export function showCode(
  text: string,
  { cut, readers }: Pick<ValueContext, 'cut' | 'readers'>,
  { mimeType, language: named, path }: CodeFacts = {},
): ShownPart {
  if (text === '') return { kind: 'empty' }
  const language =
    named ??
    (mimeType === undefined ? undefined : languageForMimeType(mimeType)) ??
    (path === undefined ? undefined : languageForPath(path))
  const shown = cut(text)
  const piecesOf = (code: string): readonly CodeToken[] | undefined =>
    code === '' ? [] : readers?.highlight(code, language ?? '')
  const first = language === undefined ? undefined : piecesOf(shown.first)
  const last = language === undefined ? undefined : piecesOf(shown.last)
  return {
    kind: 'code',
    ...(mimeType !== undefined && { mimeType }),
    ...(language !== undefined && { language }),
    ...(first && last && { tokens: { first, last } }),
    ...shown,
  }
}
