import { fenceText, type ModelText } from '@toolblocks/protocol'
import { toModelText } from '../model-text.ts'

/** Puts text into a Markdown code block that the text cannot leave, as `fenceText` of the protocol does. */
export function codeFence(text: string, tag = ''): ModelText {
  return toModelText(fenceText(text, tag))
}
