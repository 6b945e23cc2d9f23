import type { DeliveryEvent, StoredEvent } from '@toolblocks/conversation-store'
import {
  createDeliveryLedger,
  deliverResult,
  type FormatOptions,
  type ModelProfile,
} from '@toolblocks/formatter'
import type { Delivery, ModelText, ToolResult } from '@toolblocks/protocol'

/** What a model is given of a result, and what is recorded of it. */
export interface DeliveredToModel {
  text: ModelText
  event: DeliveryEvent
}

/** How much of results a model is given. Lengths are characters. */
export interface DeliveryLimits {
  /** `false`: what the model was given before is given again. Default: `true`. */
  deduplicate?: boolean
  /** What is smaller is given again all the same. Default: 300. */
  minBytes?: number
  /** How many turns back a result may be pointed to. Default: 30. */
  lookbackTurns?: number
  /** Default: no limit. */
  perResult?: number
  /** Of all results of a turn together. Default: no limit. */
  perTurn?: number
}

/** How the results of one turn reach a model. */
export interface DeliveryOptions extends DeliveryLimits {
  /** Counted from 1. */
  turn: number
  /** Characters of results that the model was given in this turn before. Default: 0. */
  spent?: number
  /** The tool that reads what was left out; its own results are not cut. Default: there is none. */
  readTool?: string
  /** How results are written for the model. Default: as `formatResult` does without options. */
  format?: FormatOptions
  /** What the model takes. Default: nobody knows, and media count as given to no one. */
  profile?: ModelProfile
  /** Whether the results of a tool may be references, by its name. Default: what `deduplicate` says. */
  deliverAs?: (tool: string) => boolean | undefined
}

/**
 * Writes the result of a tool for the model, and remembers it for those that come after. `waiting`: how many results of calls made
 * side by side are still to be given, this one among them; default: 1.
 */
export type DeliverToModel = (
  result: ToolResult,
  tool: string,
  waiting?: number,
) => DeliveredToModel

const LOOKBACK_TURNS = 30
/** Characters that every result keeps, so that the model sees what it is. */
const MIN_SIZE = 500

/** Delivers the results of one turn, after what the model still has of the turns before. */
export function createDeliverer(
  before: readonly Delivery[],
  options: DeliveryOptions,
): DeliverToModel {
  const { turn, readTool, profile, format, minBytes, deduplicate = true } = options
  const { lookbackTurns = LOOKBACK_TURNS, perResult = Infinity, perTurn = Infinity } = options
  const given = [...before]
  let { spent = 0 } = options
  return (result, tool, waiting = 1) => {
    const ledger = createDeliveryLedger(given, { fromTurn: turn - lookbackTurns })
    const isReading = tool === readTool
    const share = Math.max(MIN_SIZE, Math.floor((perTurn - spent) / waiting))
    const { text, deliveries, wholeLength } = deliverResult(result, ledger, {
      ...format,
      turn,
      ...(profile && { profile }),
      deduplicate: options.deliverAs?.(tool) ?? deduplicate,
      ...(minBytes !== undefined && { minBytes }),
      ...(!isReading && { budget: Math.min(perResult, share) }),
      ...(readTool !== undefined && { readTool }),
    })
    given.push(...deliveries)
    if (!isReading) spent += text.length
    const callId = result.id === undefined ? {} : { callId: result.id }
    return { text, event: { type: 'delivery', deliveries, ...callId, text, wholeLength } }
  }
}

/** Characters of results that a model was given since the last turn began. */
export function spentInTurn(events: readonly StoredEvent[]): number {
  const start = events.findLastIndex(({ event }) => event.type === 'turn_start')
  return events
    .slice(start + 1)
    .reduce(
      (sum, { event }) => sum + (event.type === 'delivery' ? (event.text?.length ?? 0) : 0),
      0,
    )
}
