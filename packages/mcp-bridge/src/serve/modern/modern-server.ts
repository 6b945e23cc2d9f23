import { type Request, Server, type ServerContext } from '@modelcontextprotocol/server'
import { field, isJsonObject, type Progress } from '@toolblocks/protocol'
import { RpcError } from '../../wire/message.ts'
import { toStrictDefinition } from '../../results/strict-definition.ts'
import { answerRead } from '../answer-request.ts'
import { modesOf } from '../questions/question-elicitation.ts'
import { numberProgress } from '../number-progress.ts'
import type { ToolService } from '../tool-service.ts'
import type { Running } from '../track-running.ts'
import { callInRounds } from './call-in-rounds.ts'
import type { StateSealer } from './sealed-state.ts'
import { duplicateId, INVALID_REQUEST, METHOD_NOT_FOUND } from '../../wire/message.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'

/** What requests of the modern era share. */
export interface ModernService {
  service: ToolService
  sealer: StateSealer
  running: Running
}

/** Makes a server of the modern era, for one connection or one request. `credentials`: what the client has shown, if anything. */
export function createModernServer(
  { service, sealer, running }: ModernService,
  credentials: string,
): Server {
  const { name, version, instructions, readResource } = service
  const server = new Server(
    { name, version },
    {
      capabilities: { tools: { listChanged: true }, ...(readResource && { resources: {} }) },
      ...(instructions !== undefined && { instructions }),
    },
  )
  const open = new Set<string | number>()
  // Without a handler of its own, a request and its result go past the SDK's schemas, which drop fields.
  server.fallbackRequestHandler = async (request, { mcpReq }) => {
    const { id } = mcpReq
    if (open.has(id)) throw new RpcError(INVALID_REQUEST, duplicateId(id))
    open.add(id)
    try {
      return await answer(request, mcpReq)
    } finally {
      open.delete(id)
    }
  }
  return server

  async function answer(
    { method, params = {} }: Request,
    mcpReq: ServerContext['mcpReq'],
  ): Promise<Record<string, unknown>> {
    const given = { ...params }
    const { signal, envelope, inputResponses = {}, requestState } = mcpReq
    switch (method) {
      case 'tools/list':
        return { tools: service.definitions().map(toStrictDefinition) }
      case 'tools/call': {
        const meta = given['_meta']
        const token = isJsonObject(meta) ? meta['progressToken'] : undefined
        const numbered = numberProgress()
        const report = async (progress: Progress): Promise<void> =>
          await mcpReq.notify({
            method: 'notifications/progress',
            params: {
              ...numbered(progress),
              progressToken: typeof token === 'number' ? token : String(token),
            },
          })
        const known = isJsonObject(envelope) ? envelope : {}
        const state: unknown = requestState()
        return await running.track(
          callInRounds(service, sealer, {
            params: given,
            inputResponses: { ...inputResponses },
            requestState: typeof state === 'string' ? state : undefined,
            modes: modesOf(known[CAPABILITIES]),
            caller: `${credentials}\n${nameOf(known[CLIENT_INFO])}`,
            signal,
            ...(token !== undefined && {
              onProgress: (progress) => void report(progress).catch(() => undefined),
            }),
          }),
        )
      }
      case 'resources/read':
        return await running.track(answerRead(service, given, signal))
      case 'resources/list':
        if (readResource) return { resources: [] }
    }
    throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  }
}

function nameOf(info: unknown): string {
  const name = isJsonObject(info) ? field(info, 'name') : undefined
  return typeof name === 'string' ? name : ''
}
