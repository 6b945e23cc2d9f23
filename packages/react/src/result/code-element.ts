import type { CodeToken } from '@toolblocks/renderer/internal'
import { sanitizePageLine, sanitizePageText } from '@toolblocks/renderer/internal/html'
import { createElement as h, type ReactElement, type ReactNode, useState } from 'react'
import { renderOmitted, renderScrolled } from './basic-elements.ts'
import type { PartKind } from '@toolblocks/renderer/internal'
import type { PartContext } from './part-context.ts'

/** The content of a file, with highlighted tokens if they are known. */
export function renderCode(
  { first, left, last, tokens, language }: Omit<PartKind<'code'>, 'kind'>,
  context: Pick<PartContext, 'extent'>,
): ReactElement {
  const body = [
    h('pre', { key: 'first' }, h('code', null, renderTokens(first, tokens?.first))),
    h('div', { key: 'left' }, renderOmitted(left, 'line')),
    last === ''
      ? null
      : h('pre', { key: 'last' }, h('code', null, renderTokens(last, tokens?.last))),
  ]
  const label = language === undefined ? 'Code' : `Code, ${sanitizePageLine(language)}`
  return h(
    'div',
    { className: 'tb-code' },
    h(CopyButton, { text: last === '' ? first : `${first}\n${last}` }),
    renderScrolled(label, body, context),
  )
}

/** Highlighted code as text in elements. */
function renderTokens(text: string, tokens: readonly CodeToken[] | undefined): ReactNode {
  if (!tokens || tokens.length === 0) return sanitizePageText(text)
  return tokens.map((token, index) =>
    token.role === 'plain'
      ? sanitizePageText(token.text)
      : h('span', { key: index, className: `tb-code-${token.role}` }, sanitizePageText(token.text)),
  )
}

const LABELS = { ready: 'Copy', copied: 'Copied', failed: 'Not copied' } as const

/** Copies text as it is shown, so that nothing is pasted that nobody has seen. */
function CopyButton({ text }: { text: string }): ReactElement {
  const [state, setState] = useState<keyof typeof LABELS>('ready')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(sanitizePageText(text))
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  return h(
    'button',
    {
      type: 'button',
      className: 'tb-copy',
      onClick: () => void copy(),
      onBlur: () => setState('ready'),
    },
    LABELS[state],
  )
}
