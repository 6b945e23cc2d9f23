import { sanitizePageText } from '@toolblocks/renderer/internal/html'
import { createElement as h, type ReactElement, useState } from 'react'

const LABELS = { ready: 'Copy', copied: 'Copied', failed: 'Not copied' } as const

/** Copies text as it is shown, so that nothing is pasted that nobody has seen. */
export function CopyButton({ text }: { text: string }): ReactElement {
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
