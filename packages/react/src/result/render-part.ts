import { type ShownPart } from '@toolblocks/renderer'
import { tabulateEntries } from '@toolblocks/renderer/internal'
import {
  sanitizePageDecision,
  sanitizePageLine,
  sanitizePageText,
} from '@toolblocks/renderer/internal/html'
import { createElement as h, Fragment, type ReactElement, type ReactNode } from 'react'
import {
  formatCount,
  renderCut,
  renderLink,
  renderNamed,
  renderOmitted,
  renderScrolled,
} from './basic-elements.ts'
import { renderCode } from './code-element.ts'
import { DiffElement } from './diff-element.ts'
import { renderMarkdown } from './markdown-element.ts'
import { renderMedia } from './media-element.ts'
import type { PartKind } from '@toolblocks/renderer/internal'
import type { PartContext } from './part-context.ts'
import { TableElement } from './table-element.ts'
import { renderTree } from './tree-element.ts'

/** Parts below each other. */
export function renderParts(parts: readonly ShownPart[], context: PartContext): ReactNode {
  return parts.map((part, index) => h(Fragment, { key: index }, renderPart(part, context)))
}

/** A part as an element. Every text goes through one of the functions `sanitizePage…`, into a text node or an attribute. */
export function renderPart(part: ShownPart, context: PartContext): ReactNode {
  const own = context.own.get(part)
  if (own) return own
  switch (part.kind) {
    case 'heading':
      return h('p', { className: 'tb-heading' }, sanitizePageLine(part.text))
    case 'facts':
      return renderNamed(sanitizePageLine(part.name), part.facts)
    case 'link':
      return renderNamed(renderLink(part.uri, sanitizePageLine(part.name)), part.facts)
    case 'text':
      return renderText(part, context)
    case 'code':
      return renderCode(part, context)
    case 'markdown':
      return h(
        'div',
        { className: 'tb-markdown' },
        renderMarkdown(part.blocks, context),
        renderOmitted(part.left, 'line'),
      )
    case 'empty':
      return h('p', { className: 'tb-left' }, '(empty)')
    case 'diff':
      return h(DiffElement, { part, context })
    case 'table':
      return renderTable(part, context)
    case 'tree':
      return renderTree(part.top, context)
    case 'entries': {
      const left = renderOmitted(part.left, 'entry')
      return h(TableElement, { label: 'Entries', ...tabulateEntries(part), left, context })
    }
    case 'media':
      return renderMedia(part)
    case 'question':
      return renderQuestion(part)
    case 'argument':
      return renderArgument(part)
    case 'notice':
      return h('p', { className: 'tb-left' }, sanitizePageLine(part.text))
    case 'failure':
      return renderFailure(part)
    case 'cause':
      return h(
        'div',
        { className: 'tb-cause' },
        h('span', { className: 'tb-facts' }, 'caused by:'),
        renderCut(part),
      )
    case 'warning':
      return renderWarning(part)
    case 'stderr':
      return renderStderr(part, context)
    case 'left':
      return renderOmitted(part.count, part.unit)
    case 'group':
      return renderGroup(part, context)
    case 'fold':
      return h(
        'details',
        { className: 'tb-fold', ...(context.extent === 'whole' && { open: true }) },
        h('summary', null, sanitizePageLine(part.summary)),
        renderParts(part.parts, context),
      )
  }
}

/** Lines of text that are shown in full. Longer text scrolls. */
const TALL = 40

function renderText(part: PartKind<'text'>, context: PartContext): ReactElement {
  const isTall = `${part.first}\n${part.last}`.split('\n', TALL + 2).length > TALL + 1
  return isTall ? renderScrolled('Text', renderCut(part), context) : renderCut(part)
}

function renderTable(part: PartKind<'table'>, context: PartContext): ReactElement {
  const { columns, rows } = part
  const left = [
    columns.length === 0 ? h('p', { key: 'none', className: 'tb-left' }, '(no columns)') : null,
    rows.length + part.left.rows === 0
      ? h('p', { key: 'empty', className: 'tb-left' }, '(no rows)')
      : null,
    h(Fragment, { key: 'rows' }, renderOmitted(part.left.rows, 'row')),
    h(Fragment, { key: 'columns' }, renderOmitted(part.left.columns, 'column')),
  ]
  return h(TableElement, { label: 'Table', columns, rows, left, context })
}

/** A person decides about it, so nothing is hidden, and an address is never truncated. */
function renderQuestion({ id, url, first, left, last }: PartKind<'question'>): ReactElement {
  return h(
    'div',
    { className: 'tb-question' },
    h(
      'p',
      null,
      h('strong', null, 'Question'),
      h('span', { className: 'tb-facts' }, ` ${sanitizePageLine(id)}`),
    ),
    h('pre', null, sanitizePageDecision(first)),
    renderOmitted(left, 'line'),
    last === '' ? null : h('pre', null, sanitizePageDecision(last)),
    url === undefined
      ? null
      : h('p', null, 'answered at ', renderLink(url, sanitizePageDecision(url))),
  )
}

function renderArgument({ name, text }: PartKind<'argument'>): ReactElement {
  return h(
    'div',
    { className: 'tb-argument' },
    h('span', { className: 'tb-key' }, sanitizePageDecision(name)),
    ': ',
    h(text.includes('\n') ? 'pre' : 'code', null, sanitizePageDecision(text)),
  )
}

function renderFailure({ text, transient }: PartKind<'failure'>): ReactElement {
  return h(
    'p',
    { className: 'tb-failure' },
    `✗ ${sanitizePageLine(text)}`,
    transient ? h('span', { className: 'tb-facts' }, ' trying again may help') : null,
  )
}

function renderWarning({ path, message, facts }: PartKind<'warning'>): ReactElement {
  const known = facts.map((fact) => sanitizePageLine(fact)).join(', ')
  return h(
    'p',
    { className: 'tb-warning' },
    '! ',
    path === '' ? null : h('code', null, sanitizePageLine(path)),
    path === '' ? null : ' ',
    sanitizePageText(message),
    known === '' ? null : h('span', { className: 'tb-facts' }, ` (${known})`),
  )
}

function renderStderr({ lines, text }: PartKind<'stderr'>, { extent }: PartContext): ReactElement {
  const summary = `${formatCount(lines, 'line')} on standard error`
  if (text === undefined) return h('p', { className: 'tb-left' }, `(${summary})`)
  return h(
    'details',
    { className: 'tb-fold', ...(extent === 'whole' && { open: true }) },
    h('summary', null, summary),
    renderCut(text),
  )
}

function renderGroup({ parts, maxHeight }: PartKind<'group'>, context: PartContext): ReactElement {
  const inner = h('div', { className: 'tb-group' }, renderParts(parts, context))
  if (maxHeight === undefined || context.extent === 'whole') return inner
  return renderScrolled('Value', inner, context, maxHeight)
}
