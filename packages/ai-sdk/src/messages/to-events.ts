import type { ConversationEvent } from '@toolblocks/conversation-store'
import {
  type ContentBlock,
  isContentBlock,
  isToolResult,
  type JsonObject,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { getOwnField, requireArguments } from '@toolblocks/protocol/internal'
import type { UIMessage } from 'ai'
import { type MessageRecord, type PartRecord, UI_MESSAGE } from './part-record.ts'

/**
 * Converts messages of a page into events of a conversation store: messages, calls, approvals and results, as other readers of the store know them.
 * `toUiMessages` returns the same messages. `turn`: the number of the first turn. Default: 1.
 */
export function toEvents(
  messages: readonly UIMessage[],
  { turn = 1 }: { turn?: number } = {},
): ConversationEvent[] {
  requireArguments('toEvents(messages, …)', [messages, 'array'])
  let next = turn
  return messages.flatMap((message): readonly ConversationEvent[] => {
    const { parts, ...fields } = message
    switch (message.role) {
      case 'user':
        return [{ type: 'turn_start', turn: next++ }, toUserMessage(parts, fields)]
      case 'assistant':
        return toAssistantEvents(parts, fields)
      case 'system': {
        const record = { message: fields, parts: parts.map((part) => ({ part })) }
        const values = { instructions: parts.map(getWords).join('') }
        return [withRecord({ type: 'configuration', values }, record)]
      }
    }
  })
}

function withRecord(event: ConversationEvent, record: MessageRecord): ConversationEvent {
  const recorded = { ...event, _meta: { [UI_MESSAGE]: record } }
  return recorded
}

function getWords(part: JsonObject): string {
  const text = getOwnField(part, 'text')
  return typeof text === 'string' ? text : ''
}

function toUserMessage(parts: readonly JsonObject[], message: JsonObject): ConversationEvent {
  const content: ContentBlock[] = []
  const records = parts.map((part) => addPart(part, content))
  return withRecord({ type: 'user_message', content }, { message, parts: records })
}

/** Adds the block of a part, if a reader of the store knows its content. */
function addPart(part: JsonObject, content: ContentBlock[]): PartRecord {
  const read = readText(part) ?? readFile(part)
  if (!read) return { part }
  content.push(read.block)
  return { part: read.rest, block: content.length - 1 }
}

/** A block, and the fields of its part that it does not hold. */
interface ReadPart {
  block: ContentBlock
  rest: JsonObject
}

function readText(part: JsonObject): ReadPart | undefined {
  const { type, text, ...rest } = part
  return type === 'text' && typeof text === 'string'
    ? { block: { type: 'text', text }, rest: { type, ...rest } }
    : undefined
}

const DATA_URL = /^data:([^,;]+)[^,]*;base64,/

function readFile(part: JsonObject): ReadPart | undefined {
  const { type, url, filename } = part
  if (type !== 'file' || typeof url !== 'string') return undefined
  const [head, mimeType] = DATA_URL.exec(url) ?? []
  if (head === undefined || mimeType === undefined) {
    const name = typeof filename === 'string' ? filename : url
    const block = { type: 'resource_link', uri: url, name } as const
    return isContentBlock(block) ? { block, rest: part } : undefined
  }
  const data = url.slice(head.length)
  const kind = /^(image|audio)\//.exec(mimeType)?.[1]
  const block =
    kind === 'image' || kind === 'audio'
      ? { type: kind, data, mimeType }
      : { type: 'resource', resource: { uri: 'file:///', mimeType, blob: data } }
  return isContentBlock(block) ? { block, rest: { ...part, url: head } } : undefined
}

/** The events of a message of a model: before each group of calls a message, after it the results. */
function toAssistantEvents(
  parts: readonly JsonObject[],
  message: JsonObject,
): readonly ConversationEvent[] {
  const events: ConversationEvent[] = []
  let draft: { content: ContentBlock[]; reasoning: string[]; records: PartRecord[] } | undefined
  let results: ConversationEvent[] = []
  let isFirst = true

  const open = (): NonNullable<typeof draft> => {
    events.push(...results)
    results = []
    draft ??= { content: [], reasoning: [], records: [] }
    return draft
  }
  const close = (): void => {
    if (!draft) return
    const { content, reasoning, records } = draft
    events.push(
      withRecord(
        {
          type: 'assistant_message',
          content,
          ...(reasoning.length > 0 && { reasoning: reasoning.join('\n\n') }),
        },
        { ...(isFirst && { message }), parts: records },
      ),
    )
    isFirst = false
    draft = undefined
  }

  open()
  for (const part of parts) {
    const call = readCall(part)
    if (!call) {
      const target = open()
      if (part['type'] === 'reasoning') target.reasoning.push(getWords(part))
      target.records.push(addPart(part, target.content))
      continue
    }
    close()
    events.push(...call.events)
    results.push(...call.results)
  }
  close()
  events.push(...results)
  return events
}

interface ReadCall {
  events: readonly ConversationEvent[]
  results: readonly ConversationEvent[]
}

/** Reads a part of a tool. `undefined` for other parts. */
function readCall(part: JsonObject): ReadCall | undefined {
  const { type, toolCallId: id, toolName, input, approval } = part
  if (typeof id !== 'string' || typeof type !== 'string') return undefined
  const name = type === 'dynamic-tool' ? toolName : /^tool-(.*)$/s.exec(type)?.[1]
  if (typeof name !== 'string') return undefined
  const read = readResult(part, id)
  const isInput = isJsonObject(input)
  const { input: _input, ...withoutInput } = part
  const { output: _output, ...withoutOutput } = isInput ? withoutInput : part
  const record: PartRecord = {
    part: read && read.holds !== 'nothing' ? withoutOutput : isInput ? withoutInput : part,
    ...(isInput && { input: true }),
    ...(read && { result: read.holds }),
    ...(read?.id !== undefined && { id: read.id }),
  }
  const call = { id, name, arguments: isInput ? input : {} }
  return {
    events: [
      withRecord({ type: 'tool_call', call }, { parts: [record] }),
      ...readApproval(approval, id),
    ],
    results: read ? [{ type: 'tool_result', result: read.result }] : [],
  }
}

function readApproval(approval: unknown, callId: string): ConversationEvent[] {
  if (!isJsonObject(approval) || typeof approval['approved'] !== 'boolean') return []
  const { approved, reason, isAutomatic } = approval
  return [
    {
      type: 'approval',
      callId,
      decision: approved ? 'allowed' : 'denied',
      by: isAutomatic === true ? 'rule' : 'user',
      ...(typeof reason === 'string' && { reason }),
    },
  ]
}

/** A result, what it holds of the part, and the id that the output itself has. */
interface HeldResult {
  result: ToolResult
  holds: NonNullable<PartRecord['result']>
  id?: string
}

function readResult(part: JsonObject, id: string): HeldResult | undefined {
  const { state, output, errorText, approval } = part
  switch (state) {
    case 'output-available':
      return Object.hasOwn(part, 'output')
        ? readOutput(output, id)
        : { result: createResult(id, ''), holds: 'nothing' }
    case 'output-error': {
      const text = typeof errorText === 'string' ? errorText : ''
      return { result: createResult(id, text, 'failed'), holds: 'nothing' }
    }
    case 'output-denied': {
      const reason = isJsonObject(approval) ? approval['reason'] : undefined
      const text = typeof reason === 'string' ? reason : 'The call was denied.'
      return { result: createResult(id, text, 'denied'), holds: 'nothing' }
    }
    default:
      return undefined
  }
}

function readOutput(output: unknown, id: string): HeldResult {
  if (isToolResult(output))
    return {
      result: { ...output, id },
      holds: 'result',
      ...(output.id !== undefined && { id: output.id }),
    }
  if (typeof output === 'string') return { result: createResult(id, output), holds: 'text' }
  const result = createResult(id, JSON.stringify(output) ?? '')
  return { result: { ...result, structuredContent: output }, holds: 'json' }
}

function createResult(
  id: string,
  text: string,
  outcome: 'completed' | 'failed' | 'denied' = 'completed',
): ToolResult {
  const isError = outcome !== 'completed'
  return { id, content: [{ type: 'text', text }], isError, metadata: { outcome } }
}
