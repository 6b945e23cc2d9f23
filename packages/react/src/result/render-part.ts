import { type ShownPart } from '@toolblocks/renderer'
import { tabulateEntries } from '@toolblocks/renderer/internal'
import {
  createElement,
  type PageWriter,
  pageText,
  renderCode,
  renderOmitted,
  renderPart as renderPagePart,
  renderTableRemarks,
} from '@toolblocks/renderer/internal/html'
import { createElement as h, Fragment, type ReactElement, type ReactNode } from 'react'
import { CopyButton } from './copy-button.ts'
import { DiffElement } from './diff-element.ts'
import { toReact } from './page-element.ts'
import { type PartContext, renderScrolled } from './part-context.ts'
import { alignCell, TableElement } from './table-element.ts'

/** Parts below each other. */
export function renderParts(parts: readonly ShownPart[], context: PartContext): ReactNode {
  return parts.map((part, index) => h(Fragment, { key: index }, renderPart(part, context)))
}

/** A part as an element. */
export function renderPart(part: ShownPart, context: PartContext): ReactNode {
  return toReact(renderPagePart(part, createWriter(context)))
}

/** Returns how parts are written as elements of React. */
function createWriter(context: PartContext): PageWriter<ReactElement> {
  const isWhole = context.extent === 'whole'
  const writer: PageWriter<ReactElement> = {
    isWhole,
    media: 'inline',
    maxTextLines: 40,
    fold: isWhole ? { open: true } : {},
    figure: { class: 'tb-figure' },
    image: {},
    findOwn(part) {
      const own = context.own.get(part)
      return own && { own }
    },
    align: alignCell,
    renderWide: (label, inner) => renderScrolled(label, inner, context),
    renderTall: (label, inner) => renderScrolled(label, inner, context),
    renderCode: (label, [first, left, end], { first: start, last }) =>
      createElement(
        'div',
        { class: 'tb-code' },
        { own: h(CopyButton, { text: last === '' ? start : `${start}\n${last}` }) },
        renderScrolled(label, [first, createElement('div', {}, left), end], context),
      ),
    renderSample: (code) => renderCode(code, writer),
    renderDiff: (part) => ({ own: h(DiffElement, { part, context }) }),
    renderTable(part) {
      const { columns, rows } = part
      const left = toReact(renderTableRemarks(part))
      return { own: h(TableElement, { label: pageText`Table`, columns, rows, left, context }) }
    },
    renderTree: (tree) => tree,
    renderEntries(part) {
      const left = toReact(renderOmitted(part.left, 'entry'))
      const table = { label: pageText`Entries`, ...tabulateEntries(part), left, context }
      return { own: h(TableElement, table) }
    },
    renderGroup(parts, maxHeight) {
      const inner = createElement('div', { class: 'tb-group' }, parts)
      if (maxHeight === undefined || isWhole) return inner
      return renderScrolled(pageText`Value`, inner, context, maxHeight)
    },
  }
  return writer
}
