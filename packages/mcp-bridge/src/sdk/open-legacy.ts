/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type Implementation, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { ServerInfo } from '../mcp-server.ts'
import type { Connection, Loss } from '../connection/connection.ts'
import { explainHello } from './explain-hello.ts'
import type { Link } from '../connection/link.ts'
import type { Hello } from './hello.ts'
import { readFailure } from './read-failure.ts'
import { rawOf, seeThrough } from './see-through.ts'
import { createServerRequests } from './server-requests.ts'

/** The longest time that Node's timers know; deadlines are the caller's. */
const NEVER_MS = 2 ** 31 - 1

/** Says hello to a server of the legacy era through the SDK's client. Rejects with a `McpServerError`. */
export async function openLegacy(
  server: string,
  link: Link,
  { face, listener, signal }: Hello,
): Promise<Connection> {
  const { capabilities, ...clientInfo } = face
  const client = new Client(clientInfo, {
    capabilities,
    // The SDK's own validator would be made for nothing: schemas are checked elsewhere.
    jsonSchemaValidator: {
      getValidator: () => {
        throw new Error('nothing is validated here')
      },
    },
  })
  const requests = createServerRequests(listener, link.tokenOf)
  let protocolVersion = ''
  let ended: Loss | undefined
  const whenEnded = new Promise<Loss>((resolve) => {
    client.onclose = () => {
      ended ??= link.explainEnd()
      requests.abort()
      resolve(ended)
    }
  })
  client.onerror = (error) => {
    // The SDK gives up on a stream without a word to the request that waits for it.
    if (error.message.startsWith('Maximum reconnection attempts')) void client.close()
  }
  // The SDK's own handler drops what arrives together with the answer.
  client.removeNotificationHandler('notifications/progress')
  client.fallbackNotificationHandler = async ({ method, params }) =>
    listener.onNotification(method, params ?? {})
  client.fallbackRequestHandler = requests.answer
  const transport = seeThrough(link, {
    onMessage: listener.onMessage,
    onRequest: requests.expect,
    onCancelled: requests.cancel,
    onVersion: (version) => {
      protocolVersion = version
    },
    onHelloLoss: () => undefined,
  })
  try {
    await client.connect(transport, { signal, timeout: NEVER_MS })
  } catch (error) {
    const failure = explainHello(server, error, {
      link,
      signal,
      hasEnded: ended !== undefined,
    })
    await link.abandon()
    throw failure
  }
  const info = client.getServerVersion()
  const instructions = client.getInstructions()
  const request: Connection['request'] = async (method, params, ending) => {
    if (ended) return { kind: 'loss', loss: { ...ended, maybeExecuted: false } }
    if (ending.aborted) return { kind: 'aborted' }
    try {
      const options = { signal: ending, timeout: NEVER_MS }
      const answer = await client.request({ method, params }, ResultSchema, options)
      return { kind: 'result', result: rawOf(answer) }
    } catch (error) {
      return readFailure(error, { ended, isAborted: ending.aborted })
    }
  }
  return {
    era: 'legacy',
    protocolVersion,
    capabilities: { ...client.getServerCapabilities() },
    ...(info && { info: readInfo(info) }),
    ...(instructions !== undefined && { instructions }),
    request,
    call: async (params, _definition, ending) => await request('tools/call', params, ending),
    ended: whenEnded,
    close: async () => {
      ended ??= {
        kind: 'closed',
        reason: 'the connection was closed',
        maybeExecuted: true,
        transient: false,
      }
      await link.leave()
      await client.close()
    },
  }
}

function readInfo({ name, version, title }: Implementation): ServerInfo {
  return { name, version, ...(title !== undefined && { title }) }
}
