import type {
  ContentBlock,
  Delivery,
  ModelText,
  ResourceIdentity,
  ToolResult,
} from '@toolblocks/protocol'
import { formatBlock } from '../blocks/format-block.ts'
import type { FormatOptions } from '../format-options.ts'
import { formatResult } from '../format-result.ts'
import { hostWords } from '../host-words.ts'
import { toModelText } from '../model-text.ts'
import { oneLine } from '../one-line.ts'
import { joinParts, type Part } from '../parts.ts'
import { chooseDelivered } from '../structured/choose-delivered.ts'
import { formatStructured } from '../structured/format-structured.ts'
import { cutBlock } from './cut-block.ts'
import type { DeliveryLedger } from './delivery-ledger.ts'
import { shareBudget } from './share-budget.ts'

/** How a result is delivered to a model. */
export interface DeliverOptions extends FormatOptions {
  /** The turn it is delivered in, counted from 1. */
  turn: number
  /** Whether a resource that was given in full before becomes one line that says where. Default: true. */
  deduplicate?: boolean
  /** Bytes of a resource up to which it is given again all the same. Default: 300. */
  minBytes?: number
  /** Characters (UTF-16 code units) that the result may take. The largest blocks are cut first. Default: no limit. */
  budget?: number
  /** The tool that reads what was cut; named beside each cut. Default: none is. */
  readTool?: string
}

/** What a model is given of a result, and what is to be remembered of it. */
export interface DeliveredResult {
  text: ModelText
  /** Of each resource that has an identity; to be kept as a `delivery` event. */
  deliveries: readonly Delivery[]
  /** Characters (UTF-16 code units) that the text would have without references and cuts. */
  wholeLength: number
}

const MIN_BYTES = 300

/**
 * Writes a result as `formatResult` does, but for resources that the model was given in full before, and for what is over
 * the budget. The same result, ledger and options give the same text, so that what was delivered once need not be written anew.
 */
export function deliverResult(
  result: ToolResult,
  ledger: DeliveryLedger,
  options: DeliverOptions,
): DeliveredResult {
  const { content, structured } = chooseDelivered(result, options.structured ?? 'auto')
  const pieces = toPieces(result, content, { ledger, options })
  const structure = formatStructured(result.structuredContent, structured)
  const whole = pieces.map((piece) => wholePart(piece, options))
  const lengths = [...whole, ...structure].map(({ text }) => text.length)
  const share = shareBudget(lengths, options.budget ?? Infinity)
  const given = pieces.map((piece, index) =>
    givePiece(piece, whole[index], { share, options, result }),
  )
  const body = joinParts([
    ...given.flatMap(({ parts }) => parts),
    ...structure.flatMap((part) => (part.text.length > share ? [leftOut(part, options)] : [part])),
  ])
  const words = hostWords(result, body)
  const texts = [...(words === '' ? [] : [words]), ...(body.isEmpty ? [] : [body.text])]
  const text = toModelText(texts.join('\n\n'))
  const isWhole = share === Infinity && pieces.every(({ earlier }) => earlier === undefined)
  return {
    text,
    deliveries: given.flatMap(({ delivery }) => (delivery ? [delivery] : [])),
    wholeLength: isWhole ? text.length : formatResult(result, options).length,
  }
}

/** A block on its way to the model. */
interface Piece {
  block: ContentBlock
  /** In the result. */
  index: number
  identity: ResourceIdentity | undefined
  /** Where the model was given the same. */
  earlier: Delivery | undefined
}

function toPieces(
  { id = '', content, metadata }: ToolResult,
  chosen: readonly ContentBlock[],
  { ledger, options }: { ledger: DeliveryLedger; options: DeliverOptions },
): readonly Piece[] {
  const indexes = new Map(content.map((block, index) => [block, index]))
  const { deduplicate = true, minBytes = MIN_BYTES, turn } = options
  const own = new Map<string, Delivery>()
  return chosen.map((block) => {
    const index = indexes.get(block) ?? 0
    const identity = metadata?.resources?.[index] ?? undefined
    if (!identity) return { block, index, identity, earlier: undefined }
    const { uri, sha256, bytes } = identity
    const key = `${sha256} ${uri}`
    const earlier =
      deduplicate && bytes > minBytes ? (ledger.find(identity) ?? own.get(key)) : undefined
    if (!earlier) own.set(key, { callId: id, block: index, uri, sha256, turn, form: 'full' })
    return { block, index, identity, earlier }
  })
}

function wholePart({ block, earlier, identity }: Piece, options: DeliverOptions): Part {
  return earlier && identity
    ? reference(identity, earlier, options.turn)
    : formatBlock(block, options)
}

interface Given {
  parts: readonly Part[]
  delivery?: Delivery
}

function givePiece(
  { block, index, identity, earlier }: Piece,
  whole: Part | undefined,
  { share, options, result }: { share: number; options: DeliverOptions; result: ToolResult },
): Given {
  const isCut = whole !== undefined && whole.text.length > share
  const cut = isCut ? cutBlock(block, share) : undefined
  const parts = cut
    ? [formatBlock(cut.block, options), describeCut(cut, { index, options, result })]
    : whole
      ? [whole]
      : []
  if (!identity) return { parts }
  const { uri, sha256 } = identity
  const form = earlier ? 'reference' : cut ? 'cut' : 'full'
  const delivery = {
    callId: result.id ?? '',
    block: index,
    uri,
    sha256,
    turn: options.turn,
    form,
  } as const
  return { parts, delivery }
}

function reference(
  { uri, sha256 }: ResourceIdentity,
  { callId, turn, block }: Delivery,
  now: number,
): Part {
  const when = turn === now ? 'this turn' : `turn ${turn}`
  const whole =
    callId === '' ? "the user's message" : `the result of call ${JSON.stringify(callId)}`
  const where = `block ${block + 1} of ${whole} in ${when}`
  const text = `[${oneLine(uri)} has not changed since ${oneLine(where)}, which has all of it (sha256 ${sha256.slice(0, 12)}…).]`
  return { from: 'host', text }
}

function describeCut(
  { kept, of }: { kept: number; of: number },
  { index, options, result }: { index: number; options: DeliverOptions; result: ToolResult },
): Part {
  const rest = howToRead(`call ${JSON.stringify(result.id ?? '')}, block ${index + 1}`, options)
  const text = `[Above, ${of - kept} of ${of} characters were left out at "…", in the middle.${rest}]`
  return { from: 'host', text }
}

function leftOut({ text }: Part, options: DeliverOptions): Part {
  const rest = howToRead('structured content', options)
  return {
    from: 'host',
    text: `[Structured content of ${text.length} characters was left out.${rest}]`,
  }
}

function howToRead(what: string, { readTool }: DeliverOptions): string {
  return readTool === undefined
    ? ''
    : ` The tool ${oneLine(readTool)} reads all of it: ${oneLine(what)}.`
}
