import type { ContentBlock } from './content-block.ts'

/** Whom a block is for, by `annotations.audience`; both, or nobody named, is everyone. */
export function audienceOf({ annotations }: ContentBlock): 'everyone' | 'user' | 'assistant' {
  const audience = annotations?.audience ?? []
  const [only] = audience
  return only !== undefined && audience.every((role) => role === only) ? only : 'everyone'
}
