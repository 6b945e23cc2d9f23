import { textOf, type ContentBlock } from '@toolblocks/protocol'

/** Whether a text is shown already, as that of a block. */
export function isToldBy(content: readonly ContentBlock[], text: string): boolean {
  const told = text.trimEnd()
  return content.some((block) => textOf(block)?.trimEnd() === told)
}
