/** Posts single messages of MCP to a service over HTTP, where a journey reads the bare answer. */

/** The first message of a session. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'editor', version: '1' },
  },
}

/** Posts a message with the token of a client. */
export const postMessage = async (
  url: URL,
  token: string,
  body: object,
  session: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...session,
    },
    body: JSON.stringify(body),
  })
