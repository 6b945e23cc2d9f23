import { requireArguments, MAX_RESULT_LENGTH, MAX_TURN_LENGTH } from '@toolblocks/protocol/internal'
import type { DeliveryEvent, StoredEvent } from '@toolblocks/conversation-store'
import {
  createDeliveryLedger,
  deliverResult,
  type FormatOptions,
  type ModelProfile,
} from '@toolblocks/formatter'
import type { Delivery, ModelText, ToolResult } from '@toolblocks/protocol'

/** A result as the model receives it, and the events to record. */
export interface DeliveredToModel {
  text: ModelText
  event: DeliveryEvent
}

/** Limits for the results that a model receives. Lengths are in characters. */
export interface DeliveryLimits {
  /** `false`: repeats content that the model already has. Default: `true`. */
  deduplicate?: boolean
  /** Smaller content is always repeated. Default: 300. */
  minBytes?: number
  /** How many turns back a reference may point. Default: 30. */
  lookbackTurns?: number
  /** Maximum length of one result; `Infinity`: no limit. Default: `MAX_RESULT_LENGTH`, 100,000. */
  perResult?: number
  /** Maximum length of all results of a turn together; `Infinity`: no limit. Default: `MAX_TURN_LENGTH`, 400,000. */
  perTurn?: number
}

/** Options for the results of one turn. */
export interface DeliveryOptions extends DeliveryLimits {
  /** The number of the turn, from 1. */
  turn: number
  /** Characters of results that the model has already received in this turn. Default: 0. */
  spent?: number
  /** The name of the tool that reads omitted content. Its own results are not truncated. Default: no such tool. */
  readTool?: string
  /** How results are formatted for the model. Default: as `formatResult` does without options. */
  format?: FormatOptions
  /** What the model accepts. Default: unknown; then media never count as received. */
  profile?: ModelProfile
  /** Whether the results of a tool may be references, by the tool's name. Default: the value of `deduplicate`. */
  deliverAs?: (tool: string) => boolean | undefined
}

/**
 * Formats the result of a tool for the model, and remembers it for later results. `waiting`: how many results of calls that ran in parallel are
 * still to be delivered, this one included; default: 1.
 */
export type DeliverToModel = (
  result: ToolResult,
  tool: string,
  waiting?: number,
) => DeliveredToModel

const LOOKBACK_TURNS = 30
/** Characters that every result keeps, so that the model can see what it is. */
const MIN_SIZE = 500

/** Creates a function that delivers the results of one turn, given what the model still has from earlier turns. */
export function createDeliverer(
  before: readonly Delivery[],
  options: DeliveryOptions,
): DeliverToModel {
  requireArguments(
    'createDeliverer(before, options)',
    [before, 'iterable'],
    [options, { turn: 'number' }],
  )
  const { turn, readTool, profile, format, minBytes, deduplicate = true } = options
  const {
    lookbackTurns = LOOKBACK_TURNS,
    perResult = MAX_RESULT_LENGTH,
    perTurn = MAX_TURN_LENGTH,
  } = options
  const delivered = [...before]
  let { spent = 0 } = options
  return (result, tool, waiting = 1) => {
    const ledger = createDeliveryLedger(delivered, { fromTurn: turn - lookbackTurns })
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
    delivered.push(...deliveries)
    if (!isReading) spent += text.length
    const callId = result.id === undefined ? {} : { callId: result.id }
    return { text, event: { type: 'delivery', deliveries, ...callId, text, wholeLength } }
  }
}

/** Counts the characters of results that the model has received since the last turn began. */
export function spentInTurn(events: readonly StoredEvent[]): number {
  const start = events.findLastIndex(({ event }) => event.type === 'turn_start')
  return events
    .slice(start + 1)
    .reduce(
      (sum, { event }) => sum + (event.type === 'delivery' ? (event.text?.length ?? 0) : 0),
      0,
    )
}
