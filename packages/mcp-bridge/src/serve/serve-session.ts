/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import { randomUUID } from 'node:crypto'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  isJsonObject,
  type CallContext,
  type JsonObject,
  type Progress,
  type ToolResult,
} from '@toolblocks/protocol'
import { RpcError } from '../connection/connection.ts'
import { toStrictDefinition } from '../results/strict-definition.ts'
import { askClient, modesOf } from './ask-client.ts'
import { toServedResult } from './served-result.ts'
import type { ToolService } from './tool-service.ts'

const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602

/** One client that is being served. */
export interface ServedSession {
  /** Settles when no call of this client runs. */
  idle(): Promise<void>
  /** Ends the connection; what runs is aborted. */
  close(): Promise<void>
}

/** Serves one client over a transport. */
export async function serveSession(
  service: ToolService,
  transport: Transport,
  onClose: () => void,
): Promise<ServedSession> {
  const running = new Set<Promise<unknown>>()
  const ended = new AbortController()
  const server = new Server(
    { name: service.name, version: service.version },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(service.readResource && { resources: {} }),
      },
      ...(service.instructions !== undefined && { instructions: service.instructions }),
    },
  )
  const unwatch = service.onDefinitionsChanged?.(
    () => void server.sendToolListChanged().catch(() => undefined),
  )
  server.onclose = () => {
    unwatch?.()
    ended.abort()
    onClose()
  }
  // Without a handler of its own, a request and its result go past the SDK's schemas, which drop fields.
  server.fallbackRequestHandler = async (
    { method, params = {} },
    { signal, requestId, sendNotification },
  ) => {
    const either = AbortSignal.any([signal, ended.signal])
    switch (method) {
      case 'tools/list':
        return { tools: service.definitions().map(toStrictDefinition) }
      case 'tools/call': {
        const token = params['_meta']?.progressToken
        const report = async (progress: Progress): Promise<void> =>
          await sendNotification({
            method: 'notifications/progress',
            params: { ...progress, progress: progress.progress ?? 0, progressToken: token ?? '' },
          })
        const modes = modesOf(server)
        const asks = modes.form || modes.url
        return await track(
          answerCall(service, params, {
            signal: either,
            root: service.root,
            ...(asks && { ask: { user: askClient(server, modes, requestId) } }),
            ...(token !== undefined && {
              onProgress: (progress) => void report(progress).catch(() => undefined),
            }),
          }),
        )
      }
      case 'resources/read':
        return await track(answerRead(service, params, either))
      case 'resources/list':
        if (service.readResource) return { resources: [] }
    }
    throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  }

  async function track<Result>(call: Promise<Result>): Promise<Result> {
    running.add(call)
    try {
      return await call
    } finally {
      running.delete(call)
    }
  }

  await server.connect(transport)
  return {
    idle: async () => void (await Promise.allSettled(running)),
    close: async () => await server.close(),
  }
}

async function answerCall(
  service: ToolService,
  { name, arguments: given }: JsonObject,
  context: CallContext,
): Promise<Record<string, unknown>> {
  if (typeof name !== 'string') throw new RpcError(INVALID_PARAMS, 'Expected a "name".')
  if (!service.definitions().some((definition) => definition.name === name))
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${name}`)
  const call = { id: randomUUID(), name, arguments: isJsonObject(given) ? given : {} }
  const result = await service.callTool(call, context)
  return { ...toServedResult(result, { canAsk: context.ask !== undefined }) }
}

async function answerRead(
  { readResource }: ToolService,
  { uri }: JsonObject,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (!readResource) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  if (typeof uri !== 'string') throw new RpcError(INVALID_PARAMS, 'Expected a "uri".')
  const result = await readResource(uri, signal)
  if (result.isError) throw new RpcError(INVALID_PARAMS, messageOf(result))
  const { content } = toServedResult(result, { canAsk: false })
  const blocks = Array.isArray(content) ? content : []
  return {
    contents: blocks.flatMap((block: unknown) => (isJsonObject(block) ? [block['resource']] : [])),
  }
}

function messageOf({ content }: ToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : 'The resource could not be read.'
}
