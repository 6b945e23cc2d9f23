import type { ShownNode } from '@toolblocks/renderer/internal'
import { sanitizePageLine, sanitizePageText } from '@toolblocks/renderer/internal/html'
import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { formatCount } from './basic-elements.ts'
import type { PartContext } from './part-context.ts'
import { renderField } from './table-element.ts'

/** Levels of a tree that are open at first. */
const OPEN = 2

/** A nested value. Each level folds. */
export function renderTree(top: ShownNode, { extent }: PartContext): ReactElement {
  const levels = extent === 'whole' ? Infinity : OPEN
  return h('ul', { className: 'tb-tree' }, renderNode(top, 0, levels))
}

function renderNode(
  { key, type, text, fieldType, nodes, left }: ShownNode,
  index: number,
  levels: number,
): ReactElement {
  const name =
    key === undefined
      ? null
      : [h('span', { key: 'key', className: 'tb-key' }, sanitizePageLine(key)), ': ']
  if (nodes.length === 0) {
    const value = type === 'string' ? renderField(text, fieldType) : sanitizePageText(text)
    return h(
      'li',
      { key: index },
      name,
      h('span', { className: `tb-value tb-${type}` }, value),
      renderMore(left),
    )
  }
  return h(
    'li',
    { key: index },
    h(
      'details',
      levels > 0 ? { open: true } : null,
      h('summary', null, name, h('span', { className: 'tb-size' }, sanitizePageText(text))),
      h(
        'ul',
        null,
        nodes.map((node, position) => renderNode(node, position, levels - 1)),
        left === 0 ? null : h('li', null, renderMore(left)),
      ),
    ),
  )
}

function renderMore(left: number): ReactNode {
  if (left === 0) return null
  return h('span', { className: 'tb-left' }, `… ${formatCount(left, 'more', 'more')}`)
}
