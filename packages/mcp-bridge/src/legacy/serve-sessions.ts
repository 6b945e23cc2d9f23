/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { refuse } from '../serve/modern-http.ts'
import type { ToolService } from '../serve/tool-service.ts'
import { duplicateId, type Id, INVALID_REQUEST, isId, readMessages } from '../wire/message.ts'
import { type Loss, openPeer, type Peer, type Wire } from '../wire/peer.ts'
import { serveLegacy } from './serve-legacy.ts'

/** Clients of the legacy era over HTTP, each with a session. */
export interface Sessions {
  answer(exchange: {
    request: IncomingMessage
    response: ServerResponse
    body: unknown
  }): Promise<void>
  close(): Promise<void>
}

interface Session {
  transport: StreamableHTTPServerTransport
  peer: Peer
  /** The ids of requests that have no whole answer yet. */
  open: Set<Id>
}

/** Serves clients with sessions; one too many ends the one that came first. */
export function serveSessions(service: ToolService, maxSessions: number): Sessions {
  const sessions = new Map<string, Session>()

  function openSession(): Session {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        sessions.set(id, session)
        void peer.ended.then(() => sessions.delete(id))
        const [oldest] = sessions.values()
        if (sessions.size > maxSessions) void oldest?.peer.close()
      },
    })
    const answer = serveLegacy(service)
    const peer: Peer = openPeer(wireOver(transport), {
      onNotification: () => undefined,
      onRequest: async (request) => await answer(request, peer),
    })
    const session: Session = { transport, peer, open: new Set() }
    return session
  }

  return {
    answer: async ({ request, response, body }) => {
      const { 'mcp-session-id': id } = request.headers
      const known = typeof id === 'string' ? sessions.get(id) : undefined
      if (!known && id !== undefined) return refuse(response, 404, 'Session not found')
      if (!known && !isHello(body)) {
        const message = 'Say "initialize" first, and send the Mcp-Session-Id that comes back.'
        return refuse(response, 400, message)
      }
      const { transport, open } = known ?? openSession()
      if (response.destroyed) return
      const ids = requestIds(body)
      const taken = ids.find((each, index) => open.has(each) || ids.indexOf(each) !== index)
      // The SDK would send the answer to the earlier request to the later one.
      if (taken !== undefined) return refuse(response, 400, duplicateId(taken), INVALID_REQUEST)
      for (const each of ids) open.add(each)
      // There is no second way to an answer: without a store of events, a client cannot come back for the rest of a stream.
      response.once('close', () => {
        for (const each of ids) {
          if (!response.writableFinished) transport.onmessage?.(cancelled(each))
          open.delete(each)
        }
      })
      await transport.handleRequest(request, response, body)
    },
    close: async () => {
      await Promise.all([...sessions.values()].map(async ({ peer }) => await peer.close()))
    },
  }
}

function isHello(body: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  return messages.some((message) => isJsonObject(message) && message['method'] === 'initialize')
}

/** The ids of the requests in a body, which is a message or, from older clients, a list of them. */
function requestIds(body: unknown): readonly Id[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  return messages.flatMap((message) => {
    if (!isJsonObject(message) || !Object.hasOwn(message, 'method')) return []
    const id = field(message, 'id')
    return isId(id) ? [id] : []
  })
}

function cancelled(requestId: Id): { jsonrpc: '2.0'; method: string; params: JsonObject } {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
}

/** A transport of the SDK as a wire. */
export function wireOver(transport: Transport): Wire {
  return {
    start: (hearing) => {
      transport.onmessage = (given) => {
        for (const message of readMessages(given)) hearing.onMessage(message)
      }
      transport.onclose = () => hearing.onEnd(ENDED)
      void transport.start()
    },
    send: (message, { relatedTo }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is inside is nobody's to promise
      const given = message as JSONRPCMessage
      return transport.send(
        given,
        relatedTo === undefined ? undefined : { relatedRequestId: relatedTo },
      )
    },
    close: async () => await transport.close(),
  }
}

const ENDED: Loss = {
  kind: 'lost',
  reason: 'the connection was lost',
  maybeExecuted: true,
  transient: true,
}
