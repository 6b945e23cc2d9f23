import { formatCount } from '../show/show-facts.ts'
import type { ShownNode } from '../show/shown-part.ts'
import { createElement as h, type PageChild, type PageElement } from './page-element.ts'
import { renderField } from './render-text.ts'
import { pageText, sanitizePageLine, sanitizePageText } from './safe-html.ts'

/** Levels of a tree that are open at first. */
const OPEN = 2

/** Renders a nested value. Each level folds, also without a script. */
export function renderTree(top: ShownNode, { isWhole }: { isWhole: boolean }): PageElement {
  return h('ul', { class: 'tb-tree' }, renderNode(top, isWhole ? Infinity : OPEN))
}

function renderNode(node: ShownNode, levels: number): PageElement {
  const { key, type, text, fieldType, nodes, left } = node
  const name =
    key === undefined
      ? undefined
      : [h('span', { class: 'tb-key' }, sanitizePageLine(key)), pageText`: `]
  if (nodes.length === 0) {
    const value = type === 'string' ? renderField(text, fieldType) : sanitizePageText(text)
    return h('li', {}, name, h('span', { class: `tb-value tb-${type}` }, value), renderMore(left))
  }
  const size = h('span', { class: 'tb-size' }, sanitizePageText(text))
  const inner = nodes.map((each) => renderNode(each, levels - 1))
  const more = left === 0 ? undefined : h('li', {}, renderMore(left))
  const fold = h(
    'details',
    levels > 0 ? { open: true } : {},
    h('summary', {}, name, size),
    h('ul', {}, inner, more),
  )
  return h('li', {}, fold)
}

function renderMore(left: number): PageChild {
  if (left === 0) return undefined
  return h('span', { class: 'tb-left' }, sanitizePageText(`… ${formatCount(left, 'more', 'more')}`))
}
