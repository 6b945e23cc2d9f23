import { type DisplayHints, shortenText } from '@toolblocks/protocol/internal'
import { formatCount } from './show-facts.ts'
import type { ShowContext, ValueRendererContext } from './show-context.ts'
import type { ShownNode, ShownPart } from './shown-part.ts'
import { fieldText } from './show-table.ts'

/** Maximum depth and number of nodes of a tree, so that a cycle ends. */
const MAX_DEPTH = 100
const MAX_NODES = 100_000
const MAX_TEXT_LENGTH = 200

interface OpenNode extends ShownNode {
  nodes: OpenNode[]
  left: number
}

/** Shows a nested value as a tree with as many nodes as lines to show. Nodes near the top come first; omitted ones are counted in place. */
export function showTree(
  data: unknown,
  fieldTypes: DisplayHints['fieldTypes'] = {},
  {
    maxRows,
    extent,
    root,
  }: Pick<ShowContext & ValueRendererContext, 'maxRows' | 'extent' | 'root'>,
): ShownPart {
  const getNode = (value: unknown, key?: string): OpenNode => {
    const fieldType =
      key !== undefined && Object.hasOwn(fieldTypes, key) ? fieldTypes[key] : undefined
    const text = isNested(value)
      ? formatCount(measureSize(value), Array.isArray(value) ? 'item' : 'field')
      : getText(value, fieldType, root)
    return {
      ...(key !== undefined && { key }),
      type: getType(value),
      text: extent === 'whole' ? text : shortenText(text, MAX_TEXT_LENGTH),
      ...(fieldType !== undefined && { fieldType }),
      nodes: [],
      left: 0,
    }
  }
  const top = getNode(data)
  const waiting = [{ value: data, node: top, depth: 0 }]
  let room = Math.min(maxRows, MAX_NODES)
  for (const { value, node, depth } of waiting) {
    const entries = depth < MAX_DEPTH ? (isNested(value) ? Object.entries(value) : []) : []
    const visible = entries.slice(0, room)
    room -= visible.length
    node.left = (isNested(value) ? measureSize(value) : 0) - visible.length
    for (const [key, inner] of visible) {
      const one = getNode(inner, key)
      node.nodes.push(one)
      if (isNested(inner)) waiting.push({ value: inner, node: one, depth: depth + 1 })
    }
  }
  return { kind: 'tree', top }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function measureSize(value: object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

function getType(value: unknown): ShownNode['type'] {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  const isJson = type === 'object' || type === 'string' || type === 'number' || type === 'boolean'
  return isJson ? type : 'other'
}

function getText(
  value: unknown,
  fieldType: ShownNode['fieldType'],
  root: string | undefined,
): string {
  if (value === null) return 'null'
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? fieldText(value, fieldType, root)
    : `(${typeof value})`
}
