/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Connection } from '../connection/connection.ts'
import { withSignal } from '../connection/ending.ts'
import type { Link } from '../connection/link.ts'
import type { Hello } from './hello.ts'
import { openClient } from './open-client.ts'
import { createServerRequests } from './server-requests.ts'

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
  client.onerror = (error) => {
    // The SDK gives up on a stream without a word to the request that waits for it.
    if (error.message.startsWith('Maximum reconnection attempts')) void client.close()
  }
  // The SDK's own handler drops what arrives together with the answer.
  client.removeNotificationHandler('notifications/progress')
  client.fallbackNotificationHandler = async ({ method, params }) =>
    listener.onNotification(method, params ?? {})
  client.fallbackRequestHandler = requests.answer
  const {
    send: _send,
    sendPast,
    ...opened
  } = await openClient(
    server,
    { client, link, signal },
    {
      onMessage: listener.onMessage,
      onRequest: requests.expect,
      onCancelled: requests.cancel,
      onVersion: (version) => {
        protocolVersion = version
      },
      onEnd: requests.abort,
    },
  )
  return {
    ...opened,
    era: 'legacy',
    protocolVersion,
    request: async (method, params, ending) =>
      await withSignal(ending, async (heard) => await sendPast(method, params, heard)),
    call: (params, _definition, ending) => sendPast('tools/call', params, ending),
  }
}
