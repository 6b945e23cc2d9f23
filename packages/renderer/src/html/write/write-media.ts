import type { SafeHtml } from '@toolblocks/protocol'
import type { ShownPart } from '../../show/shown-part.ts'
import { fileName, fileSource, mediaSource } from '../media-source.ts'
import { pageLine } from '../page-text.ts'
import { encodeHtml, markup } from '../safe-html.ts'
import type { HtmlContext } from './write-context.ts'
import { writeFacts } from './write-facts.ts'
import { writeLink } from './write-table.ts'

/** Bytes: a picture or a sound where they are one, else a file to keep; what stands elsewhere is a link, never fetched. */
export function writeMedia(
  part: Extract<ShownPart, { kind: 'media' }>,
  { media: how }: HtmlContext,
): SafeHtml {
  const { media, name, alt = name, facts, base64, uri } = part
  const line = writeFacts({ name, facts })
  const place = uri === undefined ? markup`` : markup`<p>${writeLink(uri, pageLine(uri))}</p>`
  if (base64 === undefined || how === 'name') return markup`${line}${place}`
  const source = media === 'file' ? undefined : mediaSource(media, base64)
  const label = pageLine(name)
  if (media === 'image' && source !== undefined)
    return markup`<figure><img src="${encodeHtml(source)}" alt="${pageLine(alt)}" loading="lazy"><figcaption>${line}</figcaption></figure>`
  const file = fileSource(base64)
  const keep =
    file === undefined
      ? markup``
      : markup`<p><a download="${encodeHtml(fileName(name))}" href="${encodeHtml(file)}">Download ${label}</a></p>`
  const sound =
    media === 'audio' && source !== undefined
      ? markup`<audio controls preload="none" src="${encodeHtml(source)}" aria-label="${label}"></audio>`
      : markup``
  return markup`${line}${sound}${keep}${place}`
}
