import type { ModelText } from '@toolblocks/protocol'

/** The one place where text becomes text for a model: whatever goes through is well-formed Unicode. */
export function toModelText(text: string): ModelText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is made here
  return text.toWellFormed() as ModelText
}
