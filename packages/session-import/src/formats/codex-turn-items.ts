import { type JsonObject, type ToolCall, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import { readBlocks } from '../convert/decode-tool-result.ts'
import type { ImportedPart } from '../convert/read-messages.ts'
import { readArguments } from '../convert/read-part.ts'
import { getInner } from '../records/records.ts'

/** What the items that the model received say and call. Versions since 2026 write most of it a second time, as items of a turn. */
export interface ModelItems {
  calls: ReadonlySet<unknown>
  /** The texts of messages, each with its speaker. */
  messages: ReadonlySet<string>
}

/** Returns the item of a turn that a record completes; `undefined` for other records. */
export function findTurnItem(record: JsonObject): JsonObject | undefined {
  const payload = getOwnField(record, 'payload')
  const item = getInner(payload, 'item')
  return getInner(payload, 'type') === 'item_completed' && isJsonObject(item) ? item : undefined
}

/** Collects what the items for the model say and call. */
export function readModelItems(records: readonly JsonObject[]): ModelItems {
  const calls = new Set<unknown>()
  const messages = new Set<string>()
  for (const record of records) {
    if (getOwnField(record, 'type') !== 'response_item') continue
    const payload = getOwnField(record, 'payload')
    calls.add(getInner(payload, 'call_id'))
    const role = getInner(payload, 'role')
    const content = getInner(payload, 'content')
    if (typeof role !== 'string' || !Array.isArray(content)) continue
    for (const text of readTexts(content)) messages.add(`${role} ${text}`)
    messages.add(`${role} ${readTexts(content).join('')}`)
  }
  return { calls, messages }
}

function readTexts(content: readonly unknown[]): readonly string[] {
  return content.map((part) => getInner(part, 'text')).filter((text) => typeof text === 'string')
}

/**
 * Reads an item of a turn that only this record has: commentary that the model did not receive again, a command that a person ran, and commands,
 * changed files and calls of MCP servers that a script of the model made.
 */
export function readTurnItem(item: JsonObject, known: ModelItems): readonly ImportedPart[] {
  const id = getOwnField(item, 'id')
  switch (getOwnField(item, 'type')) {
    case 'AgentMessage':
      return readSaid(item, 'assistant', known)
    case 'UserMessage':
      return readSaid(item, 'user', known)
    case 'CommandExecution':
    case 'FileChange':
    case 'McpToolCall':
      return typeof id === 'string' && !known.calls.has(id) ? readEnded(item, id) : []
    default:
      return []
  }
}

function readSaid(
  item: JsonObject,
  by: 'user' | 'assistant',
  { messages }: ModelItems,
): readonly ImportedPart[] {
  const content = getOwnField(item, 'content')
  const texts = Array.isArray(content) ? readTexts(content) : []
  if (texts.length === 0 || messages.has(`${by} ${texts.join('')}`)) return []
  return texts.map((block) => ({ kind: 'said', by, block }))
}

/** Statuses of calls that failed or that a person did not allow. A call without a status of its own is judged by its exit code. */
const FAILED: ReadonlySet<unknown> = new Set(['failed', 'declined'])

function readEnded(item: JsonObject, id: string): readonly ImportedPart[] {
  const status = getOwnField(item, 'status')
  const code = getOwnField(item, 'exit_code')
  const call = readCall(item, id)
  if (status === 'in_progress' || status === 'inProgress') return [{ kind: 'call', call }]
  const error = getInner(getOwnField(item, 'error'), 'message')
  const result = getOwnField(item, 'result')
  const isError =
    FAILED.has(status) ||
    (typeof code === 'number' && code !== 0) ||
    getInner(result, 'isError') === true ||
    typeof error === 'string'
  const metadata = status === 'declined' ? { metadata: { outcome: 'denied' as const } } : {}
  const content = readBlocks(getInner(result, 'content') ?? error ?? readOutput(item))
  return [
    { kind: 'call', call, ...(isByPerson(item) && { fields: { source: 'user_shell' } }) },
    {
      kind: 'result',
      result: { id, content, isError, ...metadata },
      ...(typeof code === 'number' && { fields: { exit_code: code } }),
    },
  ]
}

function isByPerson(item: JsonObject): boolean {
  return getOwnField(item, 'source') === 'user_shell'
}

function readCall(item: JsonObject, id: string): ToolCall {
  switch (getOwnField(item, 'type')) {
    case 'FileChange':
      return { id, name: 'apply_patch', arguments: { changes: getOwnField(item, 'changes') } }
    case 'McpToolCall': {
      const [server, tool] = ['server', 'tool'].map((name) =>
        formatValue(getInner(item, name) ?? ''),
      )
      const callArguments = readArguments(getOwnField(item, 'arguments'))
      return { id, name: `mcp__${server}__${tool}`, arguments: callArguments }
    }
    default: {
      const [command, cwd] = [getOwnField(item, 'command'), getOwnField(item, 'cwd')]
      return {
        id,
        name: 'shell',
        arguments: { command, ...(cwd !== undefined && { workdir: cwd }) },
      }
    }
  }
}

function readOutput(item: JsonObject): unknown {
  const whole = getOwnField(item, 'aggregated_output') ?? getOwnField(item, 'formatted_output')
  if (typeof whole === 'string') return whole
  const both = ['stdout', 'stderr'].map((name) => getOwnField(item, name))
  return both.filter((text) => typeof text === 'string' && text !== '').join('\n')
}
