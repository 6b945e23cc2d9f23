import type { DeliveryEvent } from '@toolblocks/conversation-store'
import {
  formatResult,
  type FormatOptions,
  type ModelProfile,
  toModelParts,
} from '@toolblocks/formatter'
import type { ModelText, ToolResult } from '@toolblocks/protocol'

/** How results are written for a model. */
export interface TextOptions {
  format: FormatOptions
  /** What the model takes. Default: nobody knows, and nothing is said of media that it does not take. */
  profile?: ModelProfile
}

/** The text that a model gets of a result, or got: as it was delivered, where that is known, with the host's words about media. */
export function textForModel(
  result: ToolResult,
  delivery: Pick<DeliveryEvent, 'text' | 'deliveries'> | undefined,
  { format, profile }: TextOptions,
): string {
  const { text, deliveries } = delivery ?? {}
  if (!profile) return text ?? formatResult(result, format)
  return toModelParts(result, profile, {
    ...format,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by a formatter, and kept
    ...(text !== undefined && { text: text as ModelText }),
    ...(deliveries && { deliveries }),
  }).text
}
