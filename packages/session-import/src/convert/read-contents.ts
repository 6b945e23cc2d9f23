import { type JsonObject, type ToolResult, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import { decodeToolResult } from './decode-tool-result.ts'
import { readArguments } from './read-part.ts'
import { type ImportedPart, omitFields } from './read-messages.ts'

/** Reads the `parts` of contents for Gemini's API. Call it in the order of the conversation. */
export type ReadContents = (parts: unknown, by: 'user' | 'assistant') => readonly ImportedPart[]

/** Creates a reader of contents. A call without an id is paired with the next response of its name. */
export function createReadContents(): ReadContents {
  const open: { id: string; name: string }[] = []
  let count = 0
  const readCall = (call: JsonObject, fields: JsonObject): ImportedPart => {
    count += 1
    const name = formatValue(getOwnField(call, 'name') ?? '')
    const ownId = getOwnField(call, 'id')
    const id = typeof ownId === 'string' ? ownId : `${name}-${count}`
    open.push({ id, name })
    return {
      kind: 'call',
      call: { id, name, arguments: readArguments(getOwnField(call, 'args')) },
      fields,
    }
  }
  const readAnswer = (answer: JsonObject): ImportedPart => {
    const [ownId, name] = [getOwnField(answer, 'id'), getOwnField(answer, 'name')]
    const index = open.findIndex(
      (call) => call.id === ownId || (ownId === undefined && call.name === name),
    )
    const [call] = index === -1 ? [] : open.splice(index, 1)
    const id = typeof ownId === 'string' ? ownId : call?.id
    return { kind: 'result', result: { ...readResult(answer), ...(id !== undefined && { id }) } }
  }
  return (parts, by) => {
    const list: readonly unknown[] = Array.isArray(parts) ? parts : [parts]
    return list.map((part): ImportedPart => {
      if (!isJsonObject(part)) return { kind: 'said', by, block: part }
      const call = getOwnField(part, 'functionCall')
      if (isJsonObject(call)) return readCall(call, omitFields(part, ['functionCall']))
      const answer = getOwnField(part, 'functionResponse')
      if (isJsonObject(answer)) return readAnswer(answer)
      const text = getOwnField(part, 'text')
      if (getOwnField(part, 'thought') === true && typeof text === 'string')
        return { kind: 'thought', text, raw: part }
      return { kind: 'said', by, block: toBlock(part) }
    })
  }
}

/**
 * Converts `{inlineData: {mimeType, data}}` and `{fileData: {mimeType, fileUri}}` to a block; returns every other part unchanged, for other
 * readers.
 */
export function toBlock(part: unknown): unknown {
  const data = isJsonObject(part) ? getOwnField(part, 'inlineData') : undefined
  if (isJsonObject(data)) {
    const mimeType = formatValue(getOwnField(data, 'mimeType'))
    const type = mimeType.startsWith('audio/') ? 'audio' : 'image'
    return { type, mimeType, data: getOwnField(data, 'data') }
  }
  const file = isJsonObject(part) ? getOwnField(part, 'fileData') : undefined
  const uri = isJsonObject(file) ? getOwnField(file, 'fileUri') : undefined
  if (typeof uri !== 'string') return part
  return { type: 'resource_link', uri, name: uri }
}

/** Reads `{response: {output} | {error}}`, or a response of another shape. */
export function readResult(answer: unknown): ToolResult {
  const response = isJsonObject(answer) ? getOwnField(answer, 'response') : undefined
  if (!isJsonObject(response))
    return decodeToolResult(isJsonObject(answer) ? { content: [toBlock(answer)] } : answer)
  const error = getOwnField(response, 'error')
  const output = getOwnField(response, 'output') ?? error ?? response
  const read = decodeToolResult(output)
  const isError = read.isError || (error !== undefined && error === output)
  return { ...read, isError }
}
