import { type FileContentValue, type FileListValue, type ImageValue } from '@toolblocks/protocol'
import { formatByteSize, getBase64ByteLength } from '@toolblocks/protocol/internal'
import { isToldBy } from './read-value.ts'
import { formatCount, getKnown, showFacts, showPath } from './show-facts.ts'
import type { ValueRendererContext } from './show-context.ts'
import type { ShownPart } from './shown-part.ts'
import { showText } from './show-text.ts'

/** Shows a file: its path and size, and below it the text, unless it is bytes or a block already shows it. */
export function showFileContent(
  value: FileContentValue,
  context: ValueRendererContext,
): readonly ShownPart[] {
  const { path, size, encoding, content } = value.data
  const header = showFacts(showPath(path, context.root), [formatByteSize(size), encoding])
  if (encoding === 'base64' || isToldBy(context.content, content)) return [header]
  return [header, showText(content, 'code', value, context)]
}

/** Shows the entries of a directory. */
export function showFileList(
  { data: { path, entries, truncated } }: FileListValue,
  { root, maxRows }: ValueRendererContext,
): readonly ShownPart[] {
  const count = formatCount(entries.length, 'entry', 'entries')
  const visible = entries.slice(0, maxRows)
  return [
    showFacts(showPath(path, root), [count, truncated ? 'not all there are' : undefined]),
    { kind: 'entries', entries: visible, left: entries.length - visible.length },
  ]
}

/** Shows an image without fetching its address. A data URL is decoded. */
export function showImage({ data, mimeType }: ImageValue): readonly ShownPart[] {
  const [, inType, inUrl] = /^data:(image\/[\w.+-]+);base64,(.*)$/is.exec(data.url ?? '') ?? []
  const base64 = data.base64 ?? inUrl
  const type = mimeType ?? inType
  const uri = inUrl === undefined ? data.url : undefined
  const size = base64 === undefined ? undefined : formatByteSize(getBase64ByteLength(base64))
  return [
    {
      kind: 'media',
      media: 'image',
      name: 'image',
      ...(data.alt !== undefined && { alt: data.alt }),
      facts: getKnown([data.alt, type, size, uri]),
      ...(type !== undefined && { mimeType: type }),
      ...(base64 !== undefined && { base64 }),
      ...(uri !== undefined && { uri }),
    },
  ]
}
