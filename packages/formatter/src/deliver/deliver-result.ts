import { requireFormatOptions } from '../text/format-block.ts'
import {
  formatNote,
  nameInNote,
  quoteInNote,
  requireArguments,
} from '@toolblocks/protocol/internal'
import type {
  ContentBlock,
  Delivery,
  ModelText,
  ResourceIdentity,
  ToolResult,
} from '@toolblocks/protocol'
import type { ModelProfile } from '../model/model-profile.ts'
import { type FormatOptions, formatBlock } from '../text/format-block.ts'
import { formatResult, formatHostNotes, formatTrace, isBlank } from '../text/format-result.ts'
import { chooseDelivered, formatStructured, type PlacedBlock } from '../text/format-structured.ts'
import { oneLine, toModelText } from '../text/model-text.ts'
import { describeSelection, selectResult } from '../text/select-result.ts'
import { type ResultPart, joinParts } from '../text/parts.ts'
import {
  type DeliveryLedger,
  createDeliveryLedger,
  type DeliveredResource,
  type Destination,
  type TakesMedia,
  hasWords,
  findKey,
  takenInMessage,
  takenInResult,
  getWay,
} from './delivery-ledger.ts'

/** Options for delivering a result to a model. */
export interface DeliverOptions extends FormatOptions {
  /** The number of the turn, from 1. */
  turn: number
  /** Whether a resource that the model already has becomes a one-line reference. Default: true. */
  deduplicate?: boolean
  /** Resources up to this number of bytes are always repeated. Default: 300. */
  minBytes?: number
  /** Maximum characters (UTF-16 code units) of the result. The largest blocks are truncated first. Default: no limit. */
  budget?: number
  /** What the model accepts. Default: unknown; then media, whose text is one line, never count as received. */
  profile?: ModelProfile
  /** The name of the tool that reads omitted content, for the notes. Default: no tool. */
  readTool?: string
}

/** A result as the model receives it, and the deliveries to record. */
export interface DeliveredResult {
  text: ModelText
  /** The deliveries of resources that have an identity and that the model receives in full or as a reference. Store them as a `delivery` event. */
  deliveries: readonly Delivery[]
  /** Characters (UTF-16 code units) of the text without references and truncation. */
  wholeLength: number
}

/** How results are formatted for a model, and how long one may be. */
export interface ResultFormat extends FormatOptions {
  /** Maximum characters (UTF-16 code units) of one result. Its largest blocks are truncated first. Default: no limit. */
  maxLength?: number
}

/** Without an earlier delivery, nothing becomes a reference. */
const NOTHING_EARLIER = createDeliveryLedger([])

/** Formats a result like `formatResult`, truncated to the maximum length. */
export function formatWithin(result: ToolResult, format: ResultFormat): ModelText {
  requireArguments(
    'formatWithin(result, format)',
    [result, { content: 'array' }],
    [format, 'object'],
  )
  requireFormatOptions('formatWithin(result, format)', 'format', format)
  const { maxLength = Infinity, ...options } = format
  const text = formatResult(result, options)
  if (text.length <= maxLength) return text
  const limits = { turn: 1, deduplicate: false, budget: maxLength }
  return deliverResult(result, NOTHING_EARLIER, { ...options, ...limits }).text
}

const MIN_BYTES = 300

/**
 * Formats a result like `formatResult`, but with references for resources that the model already has, and truncated to the budget. The same result,
 * ledger and options give the same text, so a delivered text need not be formatted again.
 */
export function deliverResult(
  result: ToolResult,
  ledger: DeliveryLedger,
  options: DeliverOptions,
): DeliveredResult {
  requireArguments(
    'deliverResult(result, ledger, options)',
    [result, { content: 'array' }],
    [ledger, 'object'],
    [options, { turn: 'number' }],
  )
  requireFormatOptions('deliverResult(result, ledger, options)', 'options', options)
  const selection = selectResult(result)
  const { content, structured } = chooseDelivered(selection.result, options.structured ?? 'auto')
  const structure = formatStructured(selection.result, structured)
  const planned = { result, content, structure, ledger, options }
  const first = plan(planned, 'and-within')
  // A block may not refer to a block of the same result that will be truncated.
  const isWithinCut = first.pieces.some(
    ({ within }) => within !== undefined && isOver(first.whole[within], first.share),
  )
  const { pieces, whole, share } = isWithinCut ? plan(planned, 'before') : first
  const delivered = pieces.map((piece, index) =>
    deliverPiece(piece, whole[index], { share, options, result }),
  )
  const parts = [
    ...delivered.flatMap((each) => each.parts),
    ...structure.flatMap((part) =>
      part.text.length > share
        ? [describeStructure(`of ${part.text.length} characters was omitted`, { options, result })]
        : [part],
    ),
    ...describeSelection(selection, options),
  ]
  const body = joinParts([...parts, ...formatTrace(result, parts, options)])
  const notes = formatHostNotes(result, body)
  const texts = [...(notes === '' ? [] : [notes]), ...(isBlank(body) ? [] : [body.text])]
  const text = toModelText(texts.join('\n\n'))
  const isWhole = share === Infinity && pieces.every(({ earlier }) => earlier === undefined)
  return {
    text,
    deliveries: delivered.flatMap(({ delivery }) => (delivery ? [delivery] : [])),
    wholeLength: isWhole ? text.length : formatResult(result, options).length,
  }
}

/**
 * Returns the deliveries of a user message: text, and media that the profile accepts there. `resources`: the identities of the blocks, as in the
 * metadata of a result.
 */
export function deliverMessage(
  content: readonly ContentBlock[],
  resources: readonly (ResourceIdentity | null)[],
  options: Pick<DeliverOptions, 'turn' | 'profile'>,
): readonly Delivery[] {
  requireArguments(
    'deliverMessage(content, resources, options)',
    [content, 'array'],
    [resources, 'array'],
    [options, { turn: 'number' }],
  )
  const { turn, profile } = options
  const takes = takenInMessage(profile)
  return content.flatMap((block, index) => {
    const resource = chooseForm(block, resources[index], { takes, destination: 'message' })
    return resource ? [{ callId: '', block: index, ...resource, turn, form: 'full' }] : []
  })
}

/** A block to deliver. */
interface DeliveredPiece extends PlacedBlock {
  /** The resource that the model receives. */
  resource: DeliveredResource | undefined
  /** The earlier delivery of the same resource. */
  earlier: Delivery | undefined
  /** Index of the piece of this result with the same resource. */
  within?: number
}

/** What each block becomes, and its maximum length. */
interface Plan {
  pieces: readonly DeliveredPiece[]
  whole: readonly ResultPart[]
  share: number
}

interface Planned {
  result: ToolResult
  content: readonly PlacedBlock[]
  structure: readonly ResultPart[]
  ledger: DeliveryLedger
  options: DeliverOptions
}

/** Plans the blocks. `and-within`: a block may also refer to an earlier one of the same result. */
function plan(parts: Planned, pointsTo: 'before' | 'and-within'): Plan {
  const { structure, options } = parts
  const pieces = toPieces(parts, pointsTo)
  const whole = pieces.map(({ block, index, earlier }) =>
    earlier ? reference(earlier, options.turn) : formatBlock(block, options, index),
  )
  const lengths = [...whole, ...structure].map(({ text }) => text.length)
  return { pieces, whole, share: splitBudget(lengths, options.budget ?? Infinity) }
}

function isOver(part: ResultPart | undefined, share: number): boolean {
  return part !== undefined && part.text.length > share
}

function toPieces(
  { result, content: chosen, ledger, options }: Planned,
  pointsTo: 'before' | 'and-within',
): readonly DeliveredPiece[] {
  const { id = '', metadata, isError } = result
  const { deduplicate = true, minBytes = MIN_BYTES, turn, profile } = options
  const takes = takenInResult(profile, isError)
  const own = new Map<string, { delivery: Delivery; within: number }>()
  return chosen.map(({ block, index }, pieceIndex): DeliveredPiece => {
    const identity = metadata?.resources?.[index]
    const resource = chooseForm(block, identity, { takes, destination: 'result' })
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
    own.set(key, { delivery, within: pieceIndex })
    return { block, index, resource, earlier: undefined }
  })
}

function chooseForm(
  block: ContentBlock,
  identity: ResourceIdentity | null | undefined,
  { takes, destination }: { takes: TakesMedia | undefined; destination: Destination },
): DeliveredResource | undefined {
  const as = identity ? getWay(block, takes, destination) : undefined
  if (!identity || as === undefined) return undefined
  const { uri, sha256, formatted } = identity
  return { uri, sha256, as, ...(hasWords(as) && formatted !== undefined && { formatted }) }
}

function deliverPiece(
  { block, index, resource, earlier }: DeliveredPiece,
  whole: ResultPart | undefined,
  { share, options, result }: { share: number; options: DeliverOptions; result: ToolResult },
): { parts: readonly ResultPart[]; delivery?: Delivery } {
  const isCut = earlier === undefined && isOver(whole, share)
  const cut = isCut ? cutBlock(block, share) : undefined
  const parts = cut
    ? [formatBlock(cut.block, options), describeCut(cut, { index, options, result })]
    : whole
      ? [whole]
      : []
  if (!resource) return { parts }
  const { uri, sha256 } = resource
  const origin = { callId: result.id ?? '', block: index, turn: options.turn }
  if (cut) return { parts, delivery: { ...origin, uri, sha256, form: 'cut' } }
  if (!earlier) return { parts, delivery: { ...origin, ...resource, form: 'full' } }
  const { callId, block: earlierBlock, turn } = earlier
  const pointsTo = { callId, block: earlierBlock, turn }
  return { parts, delivery: { ...origin, ...resource, form: 'reference', pointsTo } }
}

function reference({ uri, sha256, callId, turn, block }: Delivery, now: number): ResultPart {
  const when = turn === now ? 'this turn' : `turn ${turn}`
  const whole = callId === '' ? "the user's message" : `the result of call ${quoteInNote(callId)}`
  const where = `block ${block + 1} of ${whole} in ${when}`
  const text = `${oneLine(nameInNote(uri))} has not changed since ${oneLine(where)}, which has all of it (sha256 ${sha256.slice(0, 12)}…).`
  return { from: 'host', text: formatNote(text) }
}

/** Says how much of a block was left out, and how to read it. */
export function describeCut(
  { kept, of }: { kept: number; of: number },
  {
    index,
    options,
    result,
  }: { index: number; options: Pick<DeliverOptions, 'readTool'>; result: ToolResult },
): ResultPart {
  const rest = explainReadTool(`call ${quoteInNote(result.id ?? '')}, block ${index + 1}`, options)
  const text = `Above, ${of - kept} of ${of} characters were left out at "…", in the middle.${rest}`
  return { from: 'host', text: formatNote(text) }
}

/** Says what happened to structured content, and how to read it. */
export function describeStructure(
  what: string,
  { options, result }: { options: Pick<DeliverOptions, 'readTool'>; result: ToolResult },
): ResultPart {
  const rest = explainReadTool(`call ${quoteInNote(result.id ?? '')}, structured content`, options)
  return { from: 'host', text: formatNote(`Structured content ${what}.${rest}`) }
}

function explainReadTool(what: string, { readTool }: Pick<DeliverOptions, 'readTool'>): string {
  return readTool === undefined
    ? ''
    : ` The tool ${oneLine(readTool)} reads all of it: ${oneLine(what)}.`
}

/** A truncated block, and its remaining length. */
export interface CutBlock {
  block: ContentBlock
  /** Remaining characters (UTF-16 code units). */
  kept: number
  /** Characters before. */
  of: number
}

/** Truncates the text of a block in its middle; `undefined` for a block without text, which is one line anyway. */
export function cutBlock(block: ContentBlock, limit: number): CutBlock | undefined {
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
  /** Characters (UTF-16 code units) of the original in it. */
  kept: number
}

/** Between the beginning and the end. */
const GAP = '\n…\n'

/** The share of the beginning. It says what a text is; the end has the outcome. */
const HEAD = 0.6

/** A line is kept complete if that costs less than this share. */
const LINE_LOSS = 0.5

/** Removes the middle of a text, at line ends if they are near, and never inside a character. */
export function cutText(text: string, limit: number): CutText {
  if (text.length <= limit) return { text, kept: text.length }
  const head = getHead(text, Math.floor(limit * HEAD))
  const tail = getTail(text, limit - Math.floor(limit * HEAD))
  return { text: `${head}${GAP}${tail}`, kept: head.length + tail.length }
}

function getHead(text: string, limit: number): string {
  const lineBreak = text.lastIndexOf('\n', limit)
  const end = lineBreak > limit * LINE_LOSS ? lineBreak : limit
  return text.slice(0, isInside(text, end) ? end - 1 : end)
}

function getTail(text: string, limit: number): string {
  const from = text.length - limit
  const lineBreak = text.indexOf('\n', from)
  const start = lineBreak !== -1 && lineBreak + 1 - from < limit * LINE_LOSS ? lineBreak + 1 : from
  return text.slice(isInside(text, start) ? start + 1 : start)
}

/** Whether an index is between the halves of a surrogate pair. */
function isInside(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff
}

/**
 * Returns the maximum length for each of some lengths so that all fit into the budget. The largest are shortened first; a length up to the returned
 * value stays. `Infinity` if everything fits.
 */
export function splitBudget(lengths: readonly number[], budget: number): number {
  requireArguments('splitBudget(lengths, budget)', [lengths, 'array'], [budget, 'number'])
  let left = budget
  const ascending = lengths.toSorted((one, other) => one - other)
  for (const [index, length] of ascending.entries()) {
    const share = left / (ascending.length - index)
    if (length > share) return Math.max(0, Math.floor(share))
    left -= length
  }
  return Infinity
}
