import type { Delivered } from '@toolblocks/agent'
import { tokensOf } from '@toolblocks/viewer/reading'

/** Says where a model was pointed to what it has, instead of being given it again. */
export function describeSaved({ text, event: { deliveries, wholeLength } }: Delivered): string[] {
  const count = deliveries.filter(({ form }) => form === 'reference').length
  if (count === 0) return []
  const saved = tokensOf((wholeLength ?? text.length) - text.length)
  const what = count === 1 ? 'a reference to what it has' : `${count} references to what it has`
  return [`the model is given ${what} (about ${saved} tokens saved)`]
}
