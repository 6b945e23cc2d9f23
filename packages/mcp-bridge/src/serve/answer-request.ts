import { randomUUID } from 'node:crypto'
import {
  isJsonObject,
  type CallContext,
  type JsonObject,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { RpcError } from '../wire/message.ts'
import { toServedResult } from './served-result.ts'
import type { ToolService } from './tool-service.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../wire/message.ts'

/** Runs a call and writes its result for clients of the legacy era. */
export async function answerCall(
  service: ToolService,
  params: JsonObject,
  context: CallContext,
): Promise<Record<string, unknown>> {
  const result = await service.callTool(readCall(service, params), context)
  return { ...toServedResult(result, { canAsk: context.ask !== undefined, era: 'legacy' }) }
}

/** The call that a request wants; throws an `RpcError` where no such tool is offered. */
export function readCall(
  service: ToolService,
  { name, arguments: given }: JsonObject,
  id: string = randomUUID(),
): ToolCall {
  if (typeof name !== 'string') throw new RpcError(INVALID_PARAMS, 'Expected a "name".')
  if (!service.definitions().some((definition) => definition.name === name))
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${name}`)
  return { id, name, arguments: isJsonObject(given) ? given : {} }
}

/** Reads a resource for a client. */
export async function answerRead(
  { readResource }: ToolService,
  { uri }: JsonObject,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (!readResource) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  if (typeof uri !== 'string') throw new RpcError(INVALID_PARAMS, 'Expected a "uri".')
  const result = await readResource(uri, signal)
  if (result.isError) throw new RpcError(INVALID_PARAMS, messageOf(result))
  const { content } = toServedResult(result, { canAsk: false, era: 'legacy' })
  const blocks = Array.isArray(content) ? content : []
  return {
    contents: blocks.flatMap((block: unknown) => (isJsonObject(block) ? [block['resource']] : [])),
  }
}

function messageOf({ content }: ToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : 'The resource could not be read.'
}
