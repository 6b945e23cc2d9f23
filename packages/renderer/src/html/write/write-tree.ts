import type { SafeHtml } from '@toolblocks/protocol'
import type { ShownNode } from '../../show/shown-part.ts'
import { countOf } from '../../show/count-of.ts'
import { pageLine, pageText } from '../page-text.ts'
import { encodeHtml, markup } from '../safe-html.ts'
import { writeField } from './write-table.ts'

/** Levels of a tree that are open at first. */
const OPEN = 2

/** A nested value, each level of which folds, also without a script. */
export function writeTree(top: ShownNode): SafeHtml {
  return markup`<tb-tree><ul class="tb-tree">${writeNode(top, 0)}</ul></tb-tree>`
}

function writeNode(
  { key, type, text, fieldType, nodes, left }: ShownNode,
  depth: number,
): SafeHtml {
  const name = key === undefined ? markup`` : markup`<span class="tb-key">${pageLine(key)}</span>: `
  if (nodes.length === 0) {
    const value = type === 'string' ? writeField(text, fieldType) : pageText(text)
    return markup`<li>${name}<span class="tb-value tb-${encodeHtml(type)}">${value}</span>${writeMore(left)}</li>`
  }
  const open = depth < OPEN ? markup` open` : markup``
  const inner = nodes.map((node) => writeNode(node, depth + 1))
  const more = left === 0 ? markup`` : markup`<li>${writeMore(left)}</li>`
  return markup`<li><details${open}><summary>${name}<span class="tb-size">${pageText(text)}</span></summary><ul>${inner}${more}</ul></details></li>`
}

function writeMore(left: number): SafeHtml {
  return left === 0
    ? markup``
    : markup`<span class="tb-left">… ${encodeHtml(countOf(left, 'more', 'more'))}</span>`
}
