import {
  field,
  isJsonObject,
  type JsonObject,
  textOfValue,
  type ToolResult,
} from '@toolblocks/protocol'
import { decodeToolResult } from './decode-tool-result.ts'
import { readArguments } from './read-part.ts'
import { type Part, restOf } from './read-messages.ts'

/** Reads the `parts` of contents for Gemini's API, in the order they stand in a conversation. */
export type ReadContents = (parts: unknown, by: 'user' | 'assistant') => readonly Part[]

/** A call may have no id: its answer is then the next one of its name. */
export function createReadContents(): ReadContents {
  const open: { id: string; name: string }[] = []
  let count = 0
  const readCall = (call: JsonObject, fields: JsonObject): Part => {
    count += 1
    const name = textOfValue(field(call, 'name') ?? '')
    const told = field(call, 'id')
    const id = typeof told === 'string' ? told : `${name}-${count}`
    open.push({ id, name })
    return {
      kind: 'call',
      call: { id, name, arguments: readArguments(field(call, 'args')) },
      fields,
    }
  }
  const readAnswer = (answer: JsonObject): Part => {
    const [told, name] = [field(answer, 'id'), field(answer, 'name')]
    const place = open.findIndex(
      (call) => call.id === told || (told === undefined && call.name === name),
    )
    const [call] = place === -1 ? [] : open.splice(place, 1)
    const id = typeof told === 'string' ? told : call?.id
    return { kind: 'result', result: { ...resultOf(answer), ...(id !== undefined && { id }) } }
  }
  return (parts, by) => {
    const given: readonly unknown[] = Array.isArray(parts) ? parts : [parts]
    return given.map((part): Part => {
      if (!isJsonObject(part)) return { kind: 'said', by, block: part }
      const call = field(part, 'functionCall')
      if (isJsonObject(call)) return readCall(call, restOf(part, ['functionCall']))
      const answer = field(part, 'functionResponse')
      if (isJsonObject(answer)) return readAnswer(answer)
      const text = field(part, 'text')
      if (field(part, 'thought') === true && typeof text === 'string')
        return { kind: 'thought', text, raw: part }
      return { kind: 'said', by, block: toBlock(part) }
    })
  }
}

/** `{inlineData: {mimeType, data}}`, `{fileData: {mimeType, fileUri}}`, and what other readers know. */
export function toBlock(part: unknown): unknown {
  const data = isJsonObject(part) ? field(part, 'inlineData') : undefined
  if (isJsonObject(data)) {
    const mimeType = textOfValue(field(data, 'mimeType'))
    const type = mimeType.startsWith('audio/') ? 'audio' : 'image'
    return { type, mimeType, data: field(data, 'data') }
  }
  const file = isJsonObject(part) ? field(part, 'fileData') : undefined
  const uri = isJsonObject(file) ? field(file, 'fileUri') : undefined
  if (typeof uri !== 'string') return part
  return { type: 'resource_link', uri, name: uri }
}

/** `{response: {output} | {error}}`, or a response of another shape. */
export function resultOf(answer: unknown): ToolResult {
  const response = isJsonObject(answer) ? field(answer, 'response') : undefined
  if (!isJsonObject(response))
    return decodeToolResult(isJsonObject(answer) ? { content: [toBlock(answer)] } : answer)
  const error = field(response, 'error')
  const said = field(response, 'output') ?? error ?? response
  const read = decodeToolResult(said)
  const isError = read.isError || (error !== undefined && error === said)
  return { ...read, isError }
}
