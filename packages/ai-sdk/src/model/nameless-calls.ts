import { InvalidResponseDataError } from '@ai-sdk/provider'
import { getOwnField } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import type { AiSdkResponsePart } from '../prompt/to-ai-sdk-prompt.ts'

type ResponseCall = Extract<AiSdkResponsePart, { type: 'tool-call' }>

/** A call as the provider streamed it. */
interface StreamedCall {
  id: string
  name: string
  input: string
}

/**
 * Reads calls of a response from the provider's own events, because the AI SDK omits a call whose name is missing or blank, and can add its arguments
 * to another call.
 */
export interface NamelessCalls {
  /** Reads one event of the provider. Events of other formats are ignored. */
  read(event: unknown): void
  /** Returns the parts of the response with the calls that have no name, each with the name `""`. */
  addTo(parts: readonly AiSdkResponsePart[]): readonly AiSdkResponsePart[]
}

/** Creates a reader for the events of one response. */
export function createNamelessCalls(): NamelessCalls {
  const calls: StreamedCall[] = []
  const byIndex = new Map<number, StreamedCall>()

  function begin(id: string): StreamedCall {
    const call = { id, name: '', input: '' }
    calls.push(call)
    return call
  }

  /** A change of a call belongs to the one with its id, else with its index, else to the last one. */
  function readDelta(delta: unknown): void {
    if (!isJsonObject(delta)) return
    const { index, function: called } = delta
    const id = getText(delta, 'id')
    const known =
      id !== ''
        ? calls.find((call) => call.id === id)
        : typeof index === 'number'
          ? byIndex.get(index)
          : calls.at(-1)
    const call = known ?? begin(id)
    if (typeof index === 'number') byIndex.set(index, call)
    if (!isJsonObject(called)) return
    if (call.name === '') call.name = getText(called, 'name')
    const input = getOwnField(called, 'arguments')
    if (typeof input === 'string') call.input += input
  }

  function readPart(part: unknown): void {
    const called = isJsonObject(part) ? getOwnField(part, 'functionCall') : undefined
    if (!isJsonObject(called) || getText(called, 'name') !== '') return
    const input = getOwnField(called, 'args')
    // Without a name and arguments, the part ends a call that was streamed in several parts.
    if (isJsonObject(input)) begin(getText(called, 'id')).input = JSON.stringify(input)
  }

  return {
    read: (event) => {
      const [choice] = getList(event, 'choices')
      getList(getOwnField(asObject(choice), 'delta'), 'tool_calls').forEach(readDelta)
      const [candidate] = getList(event, 'candidates')
      getList(getOwnField(asObject(candidate), 'content'), 'parts').forEach(readPart)
    },
    addTo: (parts) => {
      const nameless = calls.filter(({ name }) => name === '')
      const callIds = new Set(
        parts.map((part) => (part.type === 'tool-call' ? part.toolCallId : '')),
      )
      const missing = nameless.filter(({ id }) => id === '' || !callIds.has(id))
      if (missing.length === 0) return parts
      return [
        ...parts.map((part) => withOwnInput(part, calls)),
        ...missing.map((call, index) => toPart(call, index)),
      ]
    },
  }
}

/** Returns the call without a name that made the AI SDK end the stream. */
export function findNamelessCall(error: unknown): ResponseCall | undefined {
  if (!InvalidResponseDataError.isInstance(error)) return undefined
  const data = asObject(error.data)
  const called = asObject(getOwnField(data, 'function'))
  if (!Object.hasOwn(data, 'function') || getText(called, 'name') !== '') return undefined
  return toPart({ id: getText(data, 'id'), name: '', input: getText(called, 'arguments') }, 0)
}

function withOwnInput(part: AiSdkResponsePart, calls: readonly StreamedCall[]): AiSdkResponsePart {
  if (part.type !== 'tool-call') return part
  const streamed = calls.find(({ id, name }) => id === part.toolCallId && name !== '')
  return streamed ? { ...part, input: streamed.input } : part
}

function toPart({ id, input }: StreamedCall, index: number): ResponseCall {
  return {
    type: 'tool-call',
    toolCallId: id === '' ? `nameless-${index + 1}` : id,
    toolName: '',
    input,
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {}
}

function getList(value: unknown, key: string): readonly unknown[] {
  const list = getOwnField(asObject(value), key)
  return Array.isArray(list) ? list : []
}

/** Returns a text without white space around it; `""` if there is none. */
function getText(value: Readonly<Record<string, unknown>>, key: string): string {
  const text = getOwnField(value, key)
  return typeof text === 'string' ? text.trim() : ''
}
