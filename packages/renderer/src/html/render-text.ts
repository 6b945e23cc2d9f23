import { formatCount } from '../show/show-facts.ts'
import type { FieldType, OmittedUnit } from '../show/shown-part.ts'
import type { TruncatedText } from '../show/truncate-text.ts'
import { createElement as h, type PageChild, type PageElement } from './page-element.ts'
import {
  encodePageAddress,
  type PageText,
  sanitizePageLine,
  sanitizePageText,
} from './safe-html.ts'

/** Renders text in which a count stands for the lines that are omitted. */
export function renderCut({ first, left, last }: TruncatedText): PageElement {
  const end = last === '' ? undefined : h('pre', {}, sanitizePageText(last))
  return h(
    'div',
    { class: 'tb-text' },
    h('pre', {}, sanitizePageText(first)),
    renderOmitted(left, 'line'),
    end,
  )
}

/** Renders the number of omitted units; nothing for none. */
export function renderOmitted(count: number, unit: OmittedUnit): PageElement | undefined {
  if (count === 0) return undefined
  const several = unit === 'entry' ? 'entries' : `${unit}s`
  return renderRemark(
    sanitizePageText(`… ${formatCount(count, `more ${unit}`, `more ${several}`)}`),
  )
}

/** Renders a remark of the renderer. */
export function renderRemark(text: PageText): PageElement {
  return h('p', { class: 'tb-left' }, text)
}

/** Renders text of a hinted type: an address as a link, a path in a code font. */
export function renderField(text: string, type: FieldType | undefined): PageChild {
  if (type === 'path') return h('code', {}, sanitizePageText(text))
  return type === 'url' ? renderLink(text, sanitizePageLine(text)) : sanitizePageText(text)
}

/** Renders a link if a page may link to the address, else only its name. */
export function renderLink(uri: string, name: PageChild): PageChild {
  const href = encodePageAddress(uri)
  if (href === undefined) return name
  return h('a', { href, rel: 'noopener noreferrer nofollow', target: '_blank' }, name)
}
