import {
  type ContentBlock,
  field,
  isJsonObject,
  isOutcome,
  isToolResult,
  type JsonObject,
  normalizeResultValue,
  type Outcome,
  type ResultMetadata,
  type ToolResult,
} from '@toolblocks/protocol'
import { readBlocks } from './read-block.ts'

/**
 * Reads a tool result as any older system stored it: the flat record (`{content: "…", is_error}`), blocks with `isError`, `status` or
 * `outcome`, `{callId, output, success, error}`, a semantic value, `{success: false, error}`, a bare text. What is none of them is
 * kept as structured content, with its JSON as text. A missing status is never an error.
 */
export function decodeToolResult(value: unknown): ToolResult {
  if (isToolResult(value)) {
    const led = conversationOf(value.metadata)
    return led.conversationId === undefined
      ? value
      : { ...value, metadata: { ...led, ...value.metadata } }
  }
  if (!isJsonObject(value)) return { content: readBlocks(value), isError: false }
  return withId(value, readObject(value))
}

/** The fields of a result; an object with others is a value of its own, whatever it calls `content`. */
const FIELDS: ReadonlySet<string> = new Set(
  (
    'type timestamp id callId toolCallId call_id tool_use_id name toolName content blocks structuredContent ' +
    'isError is_error status outcome metadata meta _meta tokenUsage isPending'
  ).split(' '),
)

function readObject(value: JsonObject): ToolResult {
  const content = field(value, 'content') ?? field(value, 'blocks')
  const isRecord = isContent(content) && Object.keys(value).every((name) => FIELDS.has(name))
  if (isRecord) return readContent(value, content)
  if (Object.hasOwn(value, 'output') || isFailure(value)) return readOutput(value)
  if (Object.hasOwn(value, 'toolCallId') || isWrapped(value)) return readWrapped(value)
  return readValue(value)
}

function isContent(content: unknown): boolean {
  return typeof content === 'string' || Array.isArray(content)
}

function readContent(value: JsonObject, content: unknown): ToolResult {
  const outcome = outcomeOf(value)
  const flag = field(value, 'isError') ?? field(value, 'is_error')
  const said = field(value, 'status') ?? field(value, 'outcome')
  const isError = typeof flag === 'boolean' ? flag : typeof said === 'string' && !WELL.has(said)
  const metadata = field(value, 'metadata') ?? field(value, 'meta')
  return {
    content: readBlocks(content),
    isError,
    ...(Object.hasOwn(value, 'structuredContent') && {
      structuredContent: field(value, 'structuredContent'),
    }),
    ...(isJsonObject(metadata) && { _meta: metadata }),
    ...withMetadata({
      ...(outcome !== undefined && (outcome === 'completed') !== isError && { outcome }),
      ...conversationOf(metadata),
    }),
  }
}

function withMetadata(metadata: ResultMetadata): Pick<ToolResult, 'metadata'> {
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}

/** The thread in which a delegate of Lace worked, which is imported as a conversation under this id. */
function conversationOf(metadata: unknown): Pick<ResultMetadata, 'conversationId'> {
  const thread = isJsonObject(metadata) ? field(metadata, 'threadId') : undefined
  return typeof thread === 'string' ? { conversationId: thread } : {}
}

/** A call that waits has not failed; any other word is no success. */
const WELL: ReadonlySet<string> = new Set(['completed', 'success', 'pending'])

/** What systems have called it, by what it is called here. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  aborted: 'cancelled',
  interrupted: 'cancelled',
  error: 'failed',
  success: 'completed',
}

function outcomeOf(value: JsonObject): Outcome | undefined {
  const said = field(value, 'status') ?? field(value, 'outcome')
  if (typeof said !== 'string') return undefined
  if (isOutcome(said)) return said
  return Object.hasOwn(OUTCOMES, said) ? OUTCOMES[said] : undefined
}

function isFailure(value: JsonObject): boolean {
  return field(value, 'success') === false && field(value, 'error') !== undefined
}

/** `{output, success?, error?}`, and `{success: false, error, hint?}`. */
function readOutput(value: JsonObject): ToolResult {
  const output = field(value, 'output')
  const error = field(value, 'error')
  const hint = field(value, 'hint')
  const success = field(value, 'success') ?? error === undefined
  const said = output === undefined || output === '' ? [] : [output]
  const why = success === false && error !== undefined && error !== output ? [error] : []
  const texts = [...said, ...why, ...(typeof hint === 'string' ? [hint] : [])]
  return { content: texts.map(toText), isError: success === false }
}

function isWrapped(value: JsonObject): boolean {
  const type = field(value, 'type')
  return type === 'success' || type === 'error' || type === 'interrupted'
}

/** `{toolCallId, status, value?, error?}`, and `{type: "success", value}` and its like. */
function readWrapped(value: JsonObject): ToolResult {
  const state = field(value, 'status') ?? field(value, 'type')
  const inner = field(value, 'value') ?? field(value, 'partial')
  const error = field(value, 'error')
  const isError = state === 'error' || state === 'interrupted'
  const read = inner === undefined ? { content: [] } : readValue(inner)
  const why = error === undefined ? [] : [toText(error)]
  return {
    ...read,
    content: [...read.content, ...why],
    isError,
    ...(state === 'interrupted' && { metadata: { outcome: 'cancelled' as const } }),
  }
}

/** A semantic value, or any other: for programs as structured content, for models as text. */
function readValue(value: unknown): ToolResult {
  if (typeof value === 'string') return { content: [toText(value)], isError: false }
  const semantic = normalizeResultValue(value)
  const content = isJsonObject(value) ? field(value, 'content') : undefined
  const text = semantic?.summary ?? (typeof content === 'string' ? content : value)
  return { content: [toText(text)], isError: false, structuredContent: semantic ?? value }
}

function toText(value: unknown): ContentBlock {
  if (typeof value === 'string') return { type: 'text', text: value }
  return { type: 'text', text: JSON.stringify(value) ?? '', mimeType: 'application/json' }
}

function withId(value: JsonObject, result: ToolResult): ToolResult {
  const id = field(value, 'id') ?? field(value, 'callId') ?? field(value, 'toolCallId')
  return typeof id === 'string' ? { id, ...result } : result
}
