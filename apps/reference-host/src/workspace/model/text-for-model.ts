import type { DeliveryEvent } from '@toolblocks/conversation-store'
import { formatResult, type FormatOptions, type ModelProfile } from '@toolblocks/formatter'
import { toModelParts } from '@toolblocks/formatter/internal'
import type { ModelText, ToolResult } from '@toolblocks/protocol'

/** How results are written for a model. */
export interface TextOptions {
  format: FormatOptions
  /** The media that the model accepts. Default: unknown, and no note about media is written. */
  profile?: ModelProfile
}

/** Returns the text of a result for a model: the delivered text if it is recorded, with notes about media that the model does not accept. */
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
