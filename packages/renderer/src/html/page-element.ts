import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, type PageText } from './safe-html.ts'

/** An element of a page as data. HTML is written from it, and elements of React are created from it. */
export interface PageElement<Own = never> {
  tag: string
  attributes: PageAttributes
  children: readonly PageChild<Own>[]
}

/** The attributes of an element, with their names in HTML. Values are encoded, and those that a person reads are sanitized before. */
export interface PageAttributes {
  'aria-label'?: PageText
  alt?: PageText
  readonly [name: string]: string | number | true | undefined
}

/** A child of an element: text, which is encoded, another element, or several. `own`: what only HTML or only React has. */
export type PageChild<Own = never> =
  | PageText
  | number
  | PageElement<Own>
  | { own: Own }
  | undefined
  | readonly PageChild<Own>[]

/** Creates an element of a page. */
export function createElement<Own = never>(
  tag: string,
  attributes: PageAttributes,
  ...children: readonly PageChild<Own>[]
): PageElement<Own> {
  return { tag, attributes, children }
}

/** Elements without an end. */
const EMPTY: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input'])

/** Writes elements as HTML. All of their text and attributes is encoded here. */
export function writeHtml(child: PageChild<SafeHtml>): SafeHtml {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all of its text is encoded
  return write(child) as SafeHtml
}

function write(child: PageChild<SafeHtml>): string {
  if (child === undefined) return ''
  if (typeof child !== 'object') return encodeHtml(String(child))
  if ('own' in child) return child.own
  if (!('tag' in child)) return writeAll(child)
  const { tag, attributes, children } = child
  let start = `<${tag}`
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) start += ` ${name}`
    else if (value !== undefined) start += ` ${name}="${encodeHtml(String(value))}"`
  }
  return EMPTY.has(tag) ? `${start}>` : `${start}>${writeAll(children)}</${tag}>`
}

function writeAll(children: readonly PageChild<SafeHtml>[]): string {
  let html = ''
  for (const child of children) html += write(child)
  return html
}
