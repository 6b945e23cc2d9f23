import type { OmittedUnit, TruncatedText } from '@toolblocks/renderer/internal'
import {
  encodePageAddress,
  sanitizePageLine,
  sanitizePageText,
} from '@toolblocks/renderer/internal/html'
import { createElement as h, type ReactElement, type ReactNode } from 'react'
import type { PartContext } from './part-context.ts'

/** Formats a count, for example `1,234 lines`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`
}

/** The number of omitted units; nothing for none. */
export function renderOmitted(count: number, unit: OmittedUnit): ReactNode {
  if (count === 0) return null
  const several = unit === 'entry' ? 'more entries' : `more ${unit}s`
  return h('p', { className: 'tb-left' }, `… ${formatCount(count, `more ${unit}`, several)}`)
}

/** A link if a page may link to the address, else only its name. */
export function renderLink(uri: string, name: ReactNode): ReactNode {
  const href = encodePageAddress(uri)
  if (href === undefined) return name
  return h('a', { href, rel: 'noopener noreferrer nofollow', target: '_blank' }, name)
}

/** A name, which may be a link, with facts. */
export function renderNamed(name: ReactNode, facts: readonly string[]): ReactElement {
  const known = facts.map((fact) => sanitizePageLine(fact)).join(' · ')
  return h(
    'p',
    { className: 'tb-named' },
    h('strong', null, name),
    known === '' ? null : h('span', { className: 'tb-facts' }, ` ${known}`),
  )
}

/** Text in which a count stands for the lines that are omitted. */
export function renderCut({ first, left, last }: TruncatedText): ReactElement {
  return h(
    'div',
    { className: 'tb-text' },
    h('pre', null, sanitizePageText(first)),
    renderOmitted(left, 'line'),
    last === '' ? null : h('pre', null, sanitizePageText(last)),
  )
}

/** A box that scrolls, so that neither a long line nor a tall value widens the page. The keyboard reaches it. */
export function renderScrolled(
  label: string,
  inner: ReactNode,
  { extent }: Pick<PartContext, 'extent'>,
  lines?: number,
): ReactElement {
  const height = extent === 'whole' ? undefined : findHeight(lines)
  return h(
    'div',
    {
      className: 'tb-scroll',
      role: 'group',
      'aria-label': label,
      tabIndex: 0,
      'data-lines': height,
    },
    inner,
  )
}

const HEIGHTS = [5, 10, 20, 40, 80]

/** Returns one of a few heights in lines, because a page takes no styles from values. */
function findHeight(lines = 40): number | undefined {
  return lines > 0 ? (HEIGHTS.find((height) => height >= lines) ?? 80) : undefined
}
