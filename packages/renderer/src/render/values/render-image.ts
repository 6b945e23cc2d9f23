import { type ImageValue, type TerminalText, sizeInWords, sizeOfBase64 } from '@toolblocks/protocol'
import type { RenderContext } from '../render-context.ts'
import { renderFacts } from '../text/render-facts.ts'

/** A picture in one line; it is not read from its address. */
export function renderImage({ data, mimeType }: ImageValue, context: RenderContext): TerminalText {
  const size = data.base64 === undefined ? undefined : sizeInWords(sizeOfBase64(data.base64))
  const facts = [data.alt, mimeType, size, data.url]
  return renderFacts('image', facts, context)
}
