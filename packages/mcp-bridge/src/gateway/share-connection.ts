import type { ToolCall } from '@toolblocks/protocol'
import type { AnswerServerRequest, ServerHooks } from '../client/mcp-server.ts'
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError, LOG_MESSAGE } from '../wire/message.ts'
import { EXTENSIONS, type Gateway } from './create-gateway.ts'

/** A connection to a server that several clients share. */
export interface SharedConnection {
  /** The hooks for `connectServer`. */
  readonly hooks: ServerHooks
  /** Adds the gateway of a client, until the returned function is called. */
  join(gateway: Gateway): () => void
}

/**
 * Creates the hooks of a connection that the gateways of several clients share. What a server asks in the result of a call is answered by the client
 * of that call. Everything else that it asks is refused, and its log messages reach nobody, because they do not say which client they are about.
 */
export function shareConnection(server: string): SharedConnection {
  const joined = new Map<Gateway, ServerHooks>()

  function findHooks(call: ToolCall | undefined): ServerHooks | undefined {
    if (!call) return undefined
    for (const [gateway, hooks] of joined) if (gateway.hasCall(call.id)) return hooks
    return undefined
  }

  /** Answers through the client of the call. */
  function askOwner(method: string, hook: 'createMessage' | 'listRoots'): AnswerServerRequest {
    return async (params, signal, call) => {
      const hooks = findHooks(call)
      if (!hooks)
        throw new RpcError(
          INTERNAL_ERROR,
          'Several clients share this connection, and the request does not say which of them it is for.',
        )
      const answer = hooks[hook]
      if (!answer) throw new RpcError(METHOD_NOT_FOUND, `The client does not support ${method}.`)
      return await answer(params, signal, call)
    }
  }

  return {
    hooks: {
      isShared: true,
      // What a client of a call lacks is refused when the server asks for it.
      canAsk: true,
      areDefaultsShown: true,
      capabilities: { extensions: EXTENSIONS },
      createMessage: askOwner('sampling/createMessage', 'createMessage'),
      listRoots: askOwner('roots/list', 'listRoots'),
      onTask: (call) => findHooks(call)?.onTask?.(call) ?? false,
      onStateChange: (state) => {
        for (const hooks of joined.values()) hooks.onStateChange?.(state)
      },
      onNotification: (method, params) => {
        if (method === LOG_MESSAGE) return
        for (const hooks of joined.values()) hooks.onNotification?.(method, params)
      },
    },
    join: (gateway) => {
      joined.set(gateway, gateway.createHooks(server))
      return () => void joined.delete(gateway)
    },
  }
}
