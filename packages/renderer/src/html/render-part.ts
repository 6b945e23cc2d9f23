import { formatCount } from '../show/show-facts.ts'
import type { PartKind, ShownPart } from '../show/shown-part.ts'
import { findMediaSource, getFileName, getFileSource } from './media-source.ts'
import { createElement as h, type PageChild, type PageElement } from './page-element.ts'
import type { PageWriter } from './page-writer.ts'
import { renderCode, renderMarkdown } from './render-markdown.ts'
import { renderCut, renderLink, renderOmitted, renderRemark } from './render-text.ts'
import { renderTree } from './render-tree.ts'
import {
  joinPageText,
  pageText,
  type PageText,
  sanitizePageDecision,
  sanitizePageLine,
  sanitizePageText,
} from './safe-html.ts'

/** Renders a part for a page. All text of it is sanitized here. */
export function renderPart<Own>(part: ShownPart, writer: PageWriter<Own>): PageChild<Own> {
  const own = writer.findOwn(part)
  if (own !== undefined) return own
  switch (part.kind) {
    case 'heading':
      return h('p', { class: 'tb-heading' }, sanitizePageLine(part.text))
    case 'facts':
      return renderNamed(sanitizePageLine(part.name), part.facts, writer)
    case 'link':
      return renderNamed(renderLink(part.uri, sanitizePageLine(part.name)), part.facts, writer)
    case 'text': {
      const most = writer.maxTextLines
      const isTall = `${part.first}\n${part.last}`.split('\n', most + 2).length > most + 1
      return isTall ? writer.renderTall(pageText`Text`, renderCut(part), part) : renderCut(part)
    }
    case 'code':
      return renderCode(part, writer)
    case 'markdown': {
      const omitted = renderOmitted(part.left, 'line')
      return h('div', { class: 'tb-markdown' }, renderMarkdown(part.blocks, writer), omitted)
    }
    case 'empty':
      return renderRemark(pageText`(empty)`)
    case 'diff':
      return writer.renderDiff(part)
    case 'table':
      return writer.renderTable(part)
    case 'tree':
      return writer.renderTree(renderTree(part.top, writer))
    case 'entries':
      return writer.renderEntries(part)
    case 'media':
      return renderMedia(part, writer)
    case 'question':
      return renderQuestion(part, writer)
    case 'argument': {
      const name = h('span', { class: 'tb-key' }, sanitizePageDecision(part.name))
      const tag = part.text.includes('\n') ? 'pre' : 'code'
      const value = h(tag, {}, sanitizePageDecision(part.text))
      return h('div', { class: 'tb-argument' }, name, pageText`: `, value)
    }
    case 'notice':
      return renderRemark(sanitizePageLine(part.text))
    case 'failure': {
      const retry = part.transient
        ? renderFacts(pageText`trying again may help`, writer)
        : undefined
      return h('p', { class: 'tb-failure' }, pageText`✗ ${sanitizePageLine(part.text)}`, retry)
    }
    case 'cause': {
      const label = h('span', { class: 'tb-facts' }, pageText`caused by:`)
      return h('div', { class: 'tb-cause' }, label, writer.space, renderCut(part))
    }
    case 'warning':
      return renderWarning(part, writer)
    case 'stderr': {
      const { lines, text } = part
      const summary = sanitizePageText(`${formatCount(lines, 'line')} on standard error`)
      if (text === undefined) return renderRemark(pageText`(${summary})`)
      return renderFold(summary, renderCut(text), writer)
    }
    case 'left':
      return renderOmitted(part.count, part.unit)
    case 'group':
      return writer.renderGroup(
        part.parts.map((each) => renderPart(each, writer)),
        part.maxHeight,
      )
    case 'fold': {
      const parts = part.parts.map((each) => renderPart(each, writer))
      return renderFold(sanitizePageLine(part.summary), parts, writer)
    }
  }
}

function renderFold<Own>(
  summary: PageText,
  inner: PageChild<Own>,
  { fold }: PageWriter<Own>,
): PageElement<Own> {
  return h('details', { class: 'tb-fold', ...fold }, h('summary', {}, summary), inner)
}

/** A person decides about it, so nothing is hidden, and an address is never truncated. */
function renderQuestion<Own>(part: PartKind<'question'>, writer: PageWriter<Own>): PageElement {
  const { id, url, first, left, last } = part
  const link = url === undefined ? undefined : renderLink(url, sanitizePageDecision(url))
  const title = h('strong', {}, pageText`Question`)
  return h(
    'div',
    { class: 'tb-question' },
    h('p', {}, title, renderFacts(sanitizePageLine(id), writer)),
    h('pre', {}, sanitizePageDecision(first)),
    renderOmitted(left, 'line'),
    last === '' ? undefined : h('pre', {}, sanitizePageDecision(last)),
    link === undefined ? undefined : h('p', {}, pageText`answered at `, link),
  )
}

function renderWarning<Own>(part: PartKind<'warning'>, writer: PageWriter<Own>): PageElement {
  const { path, message, facts } = part
  const known = joinPageText(facts.map(sanitizePageLine), pageText`, `)
  return h(
    'p',
    { class: 'tb-warning' },
    pageText`! `,
    path === '' ? undefined : [h('code', {}, sanitizePageLine(path)), pageText` `],
    sanitizePageText(message),
    known === '' ? undefined : renderFacts(pageText`(${known})`, writer),
  )
}

/** Renders bytes: as a picture or a sound if they are one, else as a file to save. Content elsewhere is a link and never fetched. */
function renderMedia<Own>(part: PartKind<'media'>, writer: PageWriter<Own>): PageChild {
  const { media, name, alt = name, facts, base64, uri } = part
  const label = sanitizePageLine(name)
  const line = renderNamed(label, facts, writer)
  const address = uri === undefined ? undefined : h('p', {}, renderLink(uri, sanitizePageLine(uri)))
  if (base64 === undefined || writer.media === 'name') return [line, address]
  const source = media === 'file' ? undefined : findMediaSource(media, base64)
  if (media === 'image' && source !== undefined) {
    const image = h('img', { src: source, alt: sanitizePageLine(alt), ...writer.image })
    return h('figure', writer.figure, image, h('figcaption', {}, line))
  }
  const sound = { controls: true, preload: 'none', src: source, 'aria-label': label } as const
  const href = getFileSource(base64)
  const file = h('a', { download: getFileName(name), href }, pageText`Download ${label}`)
  return [
    line,
    source === undefined ? undefined : h('audio', sound),
    href === undefined ? undefined : h('p', {}, file),
    address,
  ]
}

/** Renders a name, which may be a link, with facts. */
function renderNamed<Own>(
  name: PageChild,
  facts: readonly string[],
  writer: PageWriter<Own>,
): PageElement {
  const known = joinPageText(facts.map(sanitizePageLine), pageText` · `)
  const beside = known === '' ? undefined : renderFacts(known, writer)
  return h('p', { class: 'tb-named' }, h('strong', {}, name), beside)
}

/** Renders facts beside text. */
function renderFacts<Own>(facts: PageText, { space }: PageWriter<Own>): PageChild {
  const text = space === undefined ? pageText` ${facts}` : facts
  return [space, h('span', { class: 'tb-facts' }, text)]
}
