import { isJsonObject } from '../json/json.ts'
import { META_QUOTED } from './meta-keys.ts'
import type { ContentBlock, TextContent } from './content-block.ts'

/**
 * The blocks of what a host says and quotes: its own sentence, then what a server or a program said, as a block of its own that
 * a model reads in a fence. Blank text is not quoted.
 */
export function sayAndQuote(sentence: string, quoted = ''): readonly ContentBlock[] {
  const said: ContentBlock = { type: 'text', text: sentence }
  return quoted.trim() === ''
    ? [said]
    : [said, { type: 'text', text: quoted, _meta: { [META_QUOTED]: true } }]
}

/** Whether a text block quotes. A tool that marks its own text so puts it in a fence, where it can do less than outside. */
export function isQuoted({ _meta: meta }: TextContent): boolean {
  return isJsonObject(meta) && Object.hasOwn(meta, META_QUOTED) && meta[META_QUOTED] === true
}
