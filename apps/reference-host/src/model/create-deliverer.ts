import type { DeliveryEvent } from '@toolblocks/conversation-store'
import { createDeliveryLedger, deliverResult, type FormatOptions } from '@toolblocks/formatter'
import type { Delivery, ModelText, ToolResult } from '@toolblocks/protocol'
import type { DeduplicationConfiguration } from '../configuration/configuration.ts'

/** What a model is given of a result, and what is recorded of it. */
export interface Delivered {
  text: ModelText
  event: DeliveryEvent
}

/** How results reach a model. */
export interface DelivererOptions {
  /** Counted from 1. */
  turn: number
  deduplication: DeduplicationConfiguration
  format: FormatOptions
  /** What the table of a tool says of `deduplicate`, by its name. */
  ofTool(name: string): boolean | undefined
}

/** Writes the result of a tool for the model, and remembers it for those that come after. */
export type DeliverToModel = (result: ToolResult, tool: string) => Delivered

const LOOKBACK_TURNS = 30

/** Delivers the results of one turn, after what the model still has of the turns before. */
export function createDeliverer(
  before: readonly Delivery[],
  { turn, deduplication, format, ofTool }: DelivererOptions,
): DeliverToModel {
  const { enabled = true, min_bytes: minBytes, lookback_turns = LOOKBACK_TURNS } = deduplication
  const given = [...before]
  return (result, tool) => {
    const ledger = createDeliveryLedger(given, { fromTurn: turn - lookback_turns })
    const { text, deliveries, wholeLength } = deliverResult(result, ledger, {
      ...format,
      turn,
      deduplicate: ofTool(tool) ?? enabled,
      ...(minBytes !== undefined && { minBytes }),
    })
    given.push(...deliveries)
    const callId = result.id === undefined ? {} : { callId: result.id }
    return { text, event: { type: 'delivery', deliveries, ...callId, text, wholeLength } }
  }
}
