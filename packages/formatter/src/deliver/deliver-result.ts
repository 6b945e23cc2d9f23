import type {
  ContentBlock,
  Delivery,
  ModelText,
  ResourceIdentity,
  ToolResult,
} from '@toolblocks/protocol'
import type { ModelProfile } from '../model/model-profile.ts'
import { type FormatOptions, formatBlock } from '../text/format-block.ts'
import { formatResult, hostWords, isBlank } from '../text/format-result.ts'
import { chooseDelivered, formatStructured } from '../text/format-structured.ts'
import { oneLine, toModelText } from '../text/model-text.ts'
import { type Part, joinParts } from '../text/parts.ts'
import {
  type DeliveryLedger,
  type DeliveredResource,
  type Place,
  type TakesMedia,
  hasWords,
  findKey,
  takenInMessage,
  takenInResult,
  getWay,
} from './delivery-ledger.ts'

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
  /** What takes the result. Default: nobody knows, and media, of which the text is one line, count as given to no one. */
  profile?: ModelProfile
  /** The tool that reads what was cut; named beside each cut. Default: none is. */
  readTool?: string
}

/** What a model is given of a result, and what is to be remembered of it. */
export interface DeliveredResult {
  text: ModelText
  /** Of each resource that has an identity and that the model is not only told of; to be kept as a `delivery` event. */
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
  const structure = formatStructured(result.structuredContent, structured)
  const planned = { result, content, structure, ledger, options }
  const first = plan(planned, 'and-within')
  // A block may not point to one of the same result that is to be cut.
  const isWithinCut = first.pieces.some(
    ({ within }) => within !== undefined && isOver(first.whole[within], first.share),
  )
  const { pieces, whole, share } = isWithinCut ? plan(planned, 'before') : first
  const given = pieces.map((piece, index) =>
    givePiece(piece, whole[index], { share, options, result }),
  )
  const body = joinParts([
    ...given.flatMap(({ parts }) => parts),
    ...structure.flatMap((part) => (part.text.length > share ? [leftOut(part, options)] : [part])),
  ])
  const words = hostWords(result, body)
  const texts = [...(words === '' ? [] : [words]), ...(isBlank(body) ? [] : [body.text])]
  const text = toModelText(texts.join('\n\n'))
  const isWhole = share === Infinity && pieces.every(({ earlier }) => earlier === undefined)
  return {
    text,
    deliveries: given.flatMap(({ delivery }) => (delivery ? [delivery] : [])),
    wholeLength: isWhole ? text.length : formatResult(result, options).length,
  }
}

/**
 * Names what a model is given with a message of the user: text, and media that the profile takes there. `resources`: the identities of the blocks, as
 * in the metadata of a result.
 */
export function deliverMessage(
  content: readonly ContentBlock[],
  resources: readonly (ResourceIdentity | null)[],
  { turn, profile }: Pick<DeliverOptions, 'turn' | 'profile'>,
): readonly Delivery[] {
  const takes = takenInMessage(profile)
  return content.flatMap((block, index) => {
    const resource = givenAs(block, resources[index], { takes, place: 'message' })
    return resource ? [{ callId: '', block: index, ...resource, turn, form: 'full' }] : []
  })
}

/** A block on its way to the model. */
interface Piece {
  block: ContentBlock
  /** In the result. */
  index: number
  /** Of what the model is not only told of. */
  resource: DeliveredResource | undefined
  /** Where the model was given the same. */
  earlier: Delivery | undefined
  /** Of the piece of the same result that has the same. */
  within?: number
}

/** What the blocks are to become, and the most that each may keep. */
interface Plan {
  pieces: readonly Piece[]
  whole: readonly Part[]
  share: number
}

interface Planned {
  result: ToolResult
  content: readonly ContentBlock[]
  structure: readonly Part[]
  ledger: DeliveryLedger
  options: DeliverOptions
}

/** `and-within`: a block may also point to one before it in the same result. */
function plan(parts: Planned, pointsTo: 'before' | 'and-within'): Plan {
  const { structure, options } = parts
  const pieces = toPieces(parts, pointsTo)
  const whole = pieces.map(({ block, earlier }) =>
    earlier ? reference(earlier, options.turn) : formatBlock(block, options),
  )
  const lengths = [...whole, ...structure].map(({ text }) => text.length)
  return { pieces, whole, share: splitBudget(lengths, options.budget ?? Infinity) }
}

function isOver(part: Part | undefined, share: number): boolean {
  return part !== undefined && part.text.length > share
}

function toPieces(
  { result, content: chosen, ledger, options }: Planned,
  pointsTo: 'before' | 'and-within',
): readonly Piece[] {
  const { id = '', content, metadata, isError } = result
  const indexes = new Map(content.map((block, index) => [block, index]))
  const { deduplicate = true, minBytes = MIN_BYTES, turn, profile } = options
  const takes = takenInResult(profile, isError)
  const own = new Map<string, { delivery: Delivery; within: number }>()
  return chosen.map((block, at): Piece => {
    const index = indexes.get(block) ?? 0
    const identity = metadata?.resources?.[index]
    const resource = givenAs(block, identity, { takes, place: 'result' })
    const key = resource && findKey(resource)
    if (!identity || !resource || key === undefined)
      return { block, index, resource, earlier: undefined }
    if (deduplicate && identity.bytes > minBytes) {
      const before = ledger.find(resource)
      if (before) return { block, index, resource, earlier: before }
      const same = pointsTo === 'and-within' ? own.get(key) : undefined
      if (same) return { block, index, resource, earlier: same.delivery, within: same.within }
    }
    const delivery: Delivery = { callId: id, block: index, ...resource, turn, form: 'full' }
    own.set(key, { delivery, within: at })
    return { block, index, resource, earlier: undefined }
  })
}

function givenAs(
  block: ContentBlock,
  identity: ResourceIdentity | null | undefined,
  { takes, place }: { takes: TakesMedia | undefined; place: Place },
): DeliveredResource | undefined {
  const as = identity ? getWay(block, takes, place) : undefined
  if (!identity || as === undefined) return undefined
  const { uri, sha256, formatted } = identity
  return { uri, sha256, as, ...(hasWords(as) && formatted !== undefined && { formatted }) }
}

function givePiece(
  { block, index, resource, earlier }: Piece,
  whole: Part | undefined,
  { share, options, result }: { share: number; options: DeliverOptions; result: ToolResult },
): { parts: readonly Part[]; delivery?: Delivery } {
  const isCut = earlier === undefined && isOver(whole, share)
  const cut = isCut ? cutBlock(block, share) : undefined
  const parts = cut
    ? [formatBlock(cut.block, options), describeCut(cut, { index, options, result })]
    : whole
      ? [whole]
      : []
  if (!resource) return { parts }
  const { uri, sha256 } = resource
  const place = { callId: result.id ?? '', block: index, turn: options.turn }
  if (cut) return { parts, delivery: { ...place, uri, sha256, form: 'cut' } }
  if (!earlier) return { parts, delivery: { ...place, ...resource, form: 'full' } }
  const { callId, block: at, turn } = earlier
  const pointsTo = { callId, block: at, turn }
  return { parts, delivery: { ...place, ...resource, form: 'reference', pointsTo } }
}

function reference({ uri, sha256, callId, turn, block }: Delivery, now: number): Part {
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

/** A block with less text, and how much of it is left. */
interface CutBlock {
  block: ContentBlock
  /** Characters (UTF-16 code units) that are still there. */
  kept: number
  /** How many there were. */
  of: number
}

/** Cuts the text of a block in its middle; `undefined` for one without text, which is one line for a model anyway. */
function cutBlock(block: ContentBlock, limit: number): CutBlock | undefined {
  if (block.type === 'text') {
    const { text, kept } = cutText(block.text, limit)
    return { block: { ...block, text }, kept, of: block.text.length }
  }
  if (block.type !== 'resource') return undefined
  const { resource, formatted } = block
  if (formatted !== undefined) {
    const { text, kept } = cutText(formatted, limit)
    return { block: { ...block, formatted: text }, kept, of: formatted.length }
  }
  if (resource.text === undefined) return undefined
  const { text, kept } = cutText(resource.text, limit)
  return { block: { ...block, resource: { ...resource, text } }, kept, of: resource.text.length }
}

/** A text without its middle. */
interface CutText {
  text: string
  /** How many characters (UTF-16 code units) of the original are in it. */
  kept: number
}

/** Between what is shown of the beginning and of the end. */
const GAP = '\n…\n'

/** The part of what is kept that is the beginning: what a text is stands there, what came of it at the end. */
const HEAD = 0.6

/** A line is left whole where that costs less than this part. */
const LINE_LOSS = 0.5

/** Leaves out the middle of a text, at the ends of lines where they are near, never inside a character. */
export function cutText(text: string, limit: number): CutText {
  if (text.length <= limit) return { text, kept: text.length }
  const head = getHead(text, Math.floor(limit * HEAD))
  const tail = getTail(text, limit - Math.floor(limit * HEAD))
  return { text: `${head}${GAP}${tail}`, kept: head.length + tail.length }
}

function getHead(text: string, limit: number): string {
  const at = text.lastIndexOf('\n', limit)
  const end = at > limit * LINE_LOSS ? at : limit
  return text.slice(0, isInside(text, end) ? end - 1 : end)
}

function getTail(text: string, limit: number): string {
  const from = text.length - limit
  const at = text.indexOf('\n', from)
  const start = at !== -1 && at + 1 - from < limit * LINE_LOSS ? at + 1 : from
  return text.slice(isInside(text, start) ? start + 1 : start)
}

/** Whether a place is between the halves of a surrogate pair. */
function isInside(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/**
 * The most that each of some lengths may keep so that all of them together fit: the largest give first, and what is at most as
 * long as the answer keeps all of it. `Infinity` where everything fits.
 */
export function splitBudget(lengths: readonly number[], budget: number): number {
  let left = budget
  const ascending = lengths.toSorted((one, other) => one - other)
  for (const [index, length] of ascending.entries()) {
    const share = left / (ascending.length - index)
    if (length > share) return Math.max(0, Math.floor(share))
    left -= length
  }
  return Infinity
}
