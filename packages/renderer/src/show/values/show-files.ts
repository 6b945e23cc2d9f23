import {
  type FileContentValue,
  type FileListValue,
  type ImageValue,
  sizeInWords,
  sizeOfBase64,
} from '@toolblocks/protocol'
import { countOf } from '../count-of.ts'
import { showPath } from '../show-address.ts'
import type { ValueContext } from '../show-context.ts'
import { showCode, showFacts } from '../show-facts.ts'
import type { ShownPart } from '../shown-part.ts'
import { isToldBy } from './told-by-blocks.ts'

/** A file: its path and size, and below it the text, unless it is bytes or a block shows it already. */
export function showFileContent(
  { data, mimeType }: FileContentValue,
  { root, content, cut }: ValueContext,
): readonly ShownPart[] {
  const { path, size, encoding } = data
  const header = showFacts(showPath(path, root), [sizeInWords(size), encoding])
  if (encoding === 'base64' || isToldBy(content, data.content)) return [header]
  return [header, showCode(data.content, cut, mimeType)]
}

/** The entries of a directory. */
export function showFileList(
  { data: { path, entries, truncated } }: FileListValue,
  { root, mostRows }: ValueContext,
): readonly ShownPart[] {
  const count = countOf(entries.length, 'entry', 'entries')
  const shown = entries.slice(0, mostRows)
  return [
    showFacts(showPath(path, root), [count, truncated ? 'not all there are' : undefined]),
    { kind: 'entries', entries: shown, left: entries.length - shown.length },
  ]
}

/** A picture in one line; it is not read from its address. */
export function showImage({ data, mimeType }: ImageValue): readonly ShownPart[] {
  const size = data.base64 === undefined ? undefined : sizeInWords(sizeOfBase64(data.base64))
  return [showFacts('image', [data.alt, mimeType, size, data.url])]
}
