import { type AnswerQuestion, type JsonObject } from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'
import { getModes, readAnswer, toElicitation } from '../serve/elicitation.ts'
import { toMcpOutputSchema, readCall, serveRequest, toServedResult } from '../serve/serve-call.ts'
import type { ToolService } from '../serve/tool-service.ts'
import type { Peer, PeerRequest, Reply } from '../wire/peer.ts'
import { SESSION_VERSIONS } from './versions.ts'

/** Answers the requests of one client. */
export type AnswerClient = (request: PeerRequest, peer: Peer) => Promise<JsonObject>

/** Serves one client of MCP up to 2025-11-25: it initializes once, and its user is asked while a call runs. */
export function serveSession(service: ToolService): AnswerClient {
  const { name, version, instructions, readResource } = service
  let modes = getModes(undefined)
  let unwatch: (() => void) | undefined

  function initialize(params: JsonObject, peer: Peer): JsonObject {
    const { protocolVersion: wanted, capabilities } = params
    modes = getModes(capabilities)
    unwatch?.()
    unwatch = service.onDefinitionsChanged?.(
      () => void peer.notify('notifications/tools/list_changed', {}).catch(() => undefined),
    )
    void peer.ended.then(() => unwatch?.())
    const isSpoken = typeof wanted === 'string' && SESSION_VERSIONS.includes(wanted)
    return {
      protocolVersion: isSpoken ? wanted : SESSION_VERSIONS[0],
      capabilities: { tools: { listChanged: true }, ...(readResource && { resources: {} }) },
      serverInfo: { name, version },
      ...(instructions !== undefined && { instructions }),
    }
  }

  return async (request, peer) => {
    const { id: relatedTo, method, params } = request
    switch (method) {
      case 'initialize':
        return initialize(params, peer)
      case 'ping':
        return {}
    }
    const ask: AnswerQuestion = async (question, context) => {
      const asked = toElicitation(question, context, modes)
      if ('action' in asked) return asked
      const { signal } = context
      const reply = await peer.request('elicitation/create', asked.params, { signal, relatedTo })
      if (reply.kind === 'result' && isJsonObject(reply.result))
        return readAnswer(reply.result, asked.form)
      if (signal.aborted) return { action: 'cancel', reason: 'aborted' }
      const message = `the client did not ask: ${getReason(reply)}`
      return { action: 'cancel', reason: 'failed', message }
    }
    return await serveRequest(service, request, {
      protocolVersion: '2025-11-25',
      notify: async (about, given) => await peer.notify(about, given, { relatedTo }),
      serveCall: async (context) => {
        const canAsk = modes.form || modes.url
        const asks = canAsk && { ask: { user: ask } }
        const call = readCall(service, params)
        const result = await service.callTool(call, { ...context, ...asks })
        return toServedResult(result, {
          canAsk,
          protocolVersion: '2025-11-25',
          ...toMcpOutputSchema(service, call),
        })
      },
    })
  }
}

function getReason(reply: Reply): string {
  switch (reply.kind) {
    case 'error':
      return reply.message
    case 'loss':
      return reply.loss.reason
    case 'aborted':
      return 'it was cancelled'
    case 'result':
      return 'its answer is not an object'
  }
}
