import {
  findMediaSource,
  getFileName,
  getFileSource,
  sanitizePageLine,
} from '@toolblocks/renderer/internal/html'
import { createElement as h, Fragment, type ReactElement } from 'react'
import { renderLink, renderNamed } from './basic-elements.ts'
import type { PartKind } from '@toolblocks/renderer/internal'

/** Bytes: as a picture or a sound if they are one, else as a file to save. Content elsewhere is a link and never fetched. */
export function renderMedia(part: PartKind<'media'>): ReactElement {
  const { media, name, alt = name, facts, base64, uri } = part
  const label = sanitizePageLine(name)
  const line = renderNamed(label, facts)
  const address = uri === undefined ? null : h('p', null, renderLink(uri, sanitizePageLine(uri)))
  if (base64 === undefined) return h(Fragment, null, line, address)
  const source = media === 'file' ? undefined : findMediaSource(media, base64)
  if (media === 'image' && source !== undefined)
    return h(
      'figure',
      { className: 'tb-figure' },
      h('img', { src: source, alt: sanitizePageLine(alt) }),
      h('figcaption', null, line),
    )
  const file = getFileSource(base64)
  return h(
    Fragment,
    null,
    line,
    source === undefined
      ? null
      : h('audio', { controls: true, preload: 'none', src: source, 'aria-label': label }),
    file === undefined
      ? null
      : h('p', null, h('a', { download: getFileName(name), href: file }, `Download ${label}`)),
    address,
  )
}
