import type { PageChild } from '@toolblocks/renderer/internal/html'
import { createElement as h, Fragment, type ReactElement, type ReactNode } from 'react'

/** Creates the elements of React for text and elements of a page. */
export function toReact(child: PageChild<ReactElement>, key?: number): ReactNode {
  if (child === undefined) return null
  if (typeof child !== 'object') return child
  if ('own' in child) return h(Fragment, { key }, child.own)
  if (!('tag' in child)) return child.map((each, index) => toReact(each, index))
  const properties = Object.entries(child.attributes).map(([name, value]) => [
    NAMES.get(name) ?? name,
    value,
  ])
  return h(
    child.tag,
    { key, ...Object.fromEntries(properties) },
    ...child.children.map((each) => toReact(each)),
  )
}

/** Attributes with another name in React. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['class', 'className'],
  ['colspan', 'colSpan'],
  ['tabindex', 'tabIndex'],
])
