import type { SafeHtml } from '@toolblocks/protocol'
import { formatCount } from '../show/show-facts.ts'
import type { TruncatedText } from '../show/truncate-text.ts'
import { tabulateEntries } from '../show/show-table.ts'
import type { PartKind, ShownPart } from '../show/shown-part.ts'
import {
  NOTHING,
  encodeHtml,
  joinHtml,
  markup,
  encodePageDecision,
  encodePageLine,
  encodePageText,
} from './safe-html.ts'
import {
  type HtmlContext,
  countLines,
  heightClass,
  renderOmitted,
  renderLines,
  renderScrolled,
} from './html-context.ts'
import { findMediaSource, getFileName, getFileSource } from './media-source.ts'
import { renderDiff } from './render-diff.ts'
import { renderCode, renderMarkdown } from './render-markdown.ts'
import { renderLink, renderTable, renderTree } from './render-table.ts'

/** Renders a part for a page. All text is encoded here. */
export function renderPart(part: ShownPart, context: HtmlContext): SafeHtml {
  switch (part.kind) {
    case 'heading':
      return markup`<p class="tb-heading">${encodePageLine(part.text)}</p>`
    case 'facts':
      return renderFacts(part)
    case 'link':
      return renderNamed(renderLink(part.uri, encodePageLine(part.name)), part.facts)
    case 'text':
      return renderText(part, context)
    case 'code':
      return renderCode(part, context)
    case 'markdown':
      return markup`<div class="tb-markdown">${renderMarkdown(part.blocks)}${renderOmitted(part.left, 'line')}</div>`
    case 'empty':
      return markup`<p class="tb-left">(empty)</p>`
    case 'diff':
      return renderDiff(part, context)
    case 'table':
      return renderTable(part)
    case 'tree':
      return renderTree(part.top, context)
    case 'entries':
      return renderEntries(part)
    case 'media':
      return renderMedia(part, context)
    case 'question':
      return renderQuestion(part)
    case 'argument':
      return renderArgument(part)
    case 'notice':
      return markup`<p class="tb-left">${encodePageLine(part.text)}</p>`
    case 'failure': {
      const retry = part.transient
        ? markup` <span class="tb-facts">trying again may help</span>`
        : NOTHING
      return markup`<p class="tb-failure">✗ ${encodePageLine(part.text)}${retry}</p>`
    }
    case 'cause':
      return markup`<div class="tb-cause"><span class="tb-facts">caused by:</span> ${renderCut(part, 'tb-text')}</div>`
    case 'warning':
      return renderWarning(part)
    case 'stderr':
      return renderStderr(part)
    case 'left':
      return renderOmitted(part.count, part.unit)
    case 'group': {
      const parts = joinHtml(part.parts.map((one) => renderPart(one, context)))
      const height = heightClass(context.tallText === 'whole' ? undefined : part.maxHeight)
      return height === ''
        ? markup`<div class="tb-group">${parts}</div>`
        : renderScrolled(markup`Value`, parts, height)
    }
    case 'fold': {
      const parts = joinHtml(part.parts.map((one) => renderPart(one, context)))
      return markup`<details class="tb-fold"><summary>${encodePageLine(part.summary)}</summary>${parts}</details>`
    }
  }
}

/** Lines of text that are shown in full. Longer text scrolls or folds. */
const TALL = 40
const FOLDED = 25

function renderText(text: TruncatedText, { tallText }: HtmlContext): SafeHtml {
  const html = renderCut(text, 'tb-text')
  const most = tallText === 'fold' ? FOLDED : TALL
  const isTall = `${text.first}\n${text.last}`.split('\n', most + 2).length > most + 1
  const lines = countLines(text.first, text.last)
  return isTall ? renderLines(markup`Text`, html, { lines, tallText }) : html
}

function renderCut({ first, left, last }: TruncatedText, name: string): SafeHtml {
  const end = last === '' ? NOTHING : markup`<pre>${encodePageText(last)}</pre>`
  return markup`<div class="${encodeHtml(name)}"><pre>${encodePageText(first)}</pre>${renderOmitted(left, 'line')}${end}</div>`
}

function renderEntries(part: PartKind<'entries'>): SafeHtml {
  const { columns, rows } = tabulateEntries(part)
  const head = columns.map(({ label, align }) =>
    align === 'right'
      ? markup`<th scope="col" class="tb-to-right" data-type="size">${encodePageLine(label)}</th>`
      : markup`<th scope="col">${encodePageLine(label)}</th>`,
  )
  const body = rows.map((row) => {
    const cells = row.map((cell, index) => {
      const text = encodePageLine(cell)
      if (index === 0) return markup`<td><code>${text}</code></td>`
      return columns[index]?.align === 'right'
        ? markup`<td class="tb-to-right">${text}</td>`
        : markup`<td>${text}</td>`
    })
    return markup`<tr>${cells}</tr>`
  })
  const table = markup`<table class="tb-table"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
  return markup`<tb-table>${renderScrolled(markup`Entries`, table, markup`tb-high-40`)}${renderOmitted(part.left, 'entry')}</tb-table>`
}

/** A person decides about it, so nothing is hidden, and an address is never truncated. */
function renderQuestion({ id, url, first, left, last }: PartKind<'question'>): SafeHtml {
  const end = last === '' ? NOTHING : markup`<pre>${encodePageDecision(last)}</pre>`
  const address =
    url === undefined
      ? NOTHING
      : markup`<p>answered at ${renderLink(url, encodePageDecision(url))}</p>`
  return markup`<div class="tb-question"><p><strong>Question</strong> <span class="tb-facts">${encodePageLine(id)}</span></p><pre>${encodePageDecision(first)}</pre>${renderOmitted(left, 'line')}${end}${address}</div>`
}

function renderArgument({ name, text }: PartKind<'argument'>): SafeHtml {
  const value = text.includes('\n')
    ? markup`<pre>${encodePageDecision(text)}</pre>`
    : markup`<code>${encodePageDecision(text)}</code>`
  return markup`<div class="tb-argument"><span class="tb-key">${encodePageDecision(name)}</span>: ${value}</div>`
}

function renderWarning({ path, message, facts }: PartKind<'warning'>): SafeHtml {
  const known =
    facts.length === 0
      ? NOTHING
      : markup` <span class="tb-facts">(${joinHtml(facts.map(encodePageLine), markup`, `)})</span>`
  const location = path === '' ? NOTHING : markup`<code>${encodePageLine(path)}</code> `
  return markup`<p class="tb-warning">! ${location}${encodePageText(message)}${known}</p>`
}

function renderStderr({ lines, text }: PartKind<'stderr'>): SafeHtml {
  const count = encodeHtml(formatCount(lines, 'line'))
  if (text === undefined) return markup`<p class="tb-left">(${count} on standard error)</p>`
  return markup`<details class="tb-fold"><summary>${count} on standard error</summary>${renderCut(text, 'tb-text')}</details>`
}

/** Renders bytes: as a picture or a sound if they are one, else as a file to save. Content elsewhere is a link and never fetched. */
function renderMedia(
  part: Extract<ShownPart, { kind: 'media' }>,
  { media: how }: HtmlContext,
): SafeHtml {
  const { media, name, alt = name, facts, base64, uri } = part
  const line = renderFacts({ name, facts })
  const address =
    uri === undefined ? markup`` : markup`<p>${renderLink(uri, encodePageLine(uri))}</p>`
  if (base64 === undefined || how === 'name') return markup`${line}${address}`
  const source = media === 'file' ? undefined : findMediaSource(media, base64)
  const label = encodePageLine(name)
  if (media === 'image' && source !== undefined)
    return markup`<figure><img src="${encodeHtml(source)}" alt="${encodePageLine(alt)}" loading="lazy"><figcaption>${line}</figcaption></figure>`
  const file = getFileSource(base64)
  const keep =
    file === undefined
      ? markup``
      : markup`<p><a download="${encodeHtml(getFileName(name))}" href="${encodeHtml(file)}">Download ${label}</a></p>`
  const sound =
    media === 'audio' && source !== undefined
      ? markup`<audio controls preload="none" src="${encodeHtml(source)}" aria-label="${label}"></audio>`
      : markup``
  return markup`${line}${sound}${keep}${address}`
}

/** Renders a name with facts. */
function renderFacts({ name, facts }: { name: string; facts: readonly string[] }): SafeHtml {
  return renderNamed(encodePageLine(name), facts)
}

/** Renders a name, which may be a link, with facts. */
function renderNamed(name: SafeHtml, facts: readonly string[]): SafeHtml {
  const known = joinHtml(facts.map(encodePageLine), markup` · `)
  const rest = facts.length === 0 ? markup`` : markup` <span class="tb-facts">${known}</span>`
  return markup`<p class="tb-named"><strong>${name}</strong>${rest}</p>`
}
