import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { expect, test } from 'vitest'
import { startRawLogin } from '../../packages/mcp-bridge/src/testing/raw-login.support.ts'
import {
  HOSTILE_ANSWERS,
  rawAnswer,
} from '../../packages/mcp-bridge/src/testing/raw-server.support.ts'
import { makeFolder } from '../stage/folder.ts'
import { keepLogin } from '../stage/logins.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'

const HEALTHY = createServerProgram(
  [{ name: 'list', inputSchema: { type: 'object' } }],
  `return { content: [{ type: 'text', text: 'two notes' }] }`,
)

/** Answers that once ended `serve`, or kept it from answering anybody. */
const ANSWERS = {
  'the status 700': (socket) => socket.end(rawAnswer(700, '{}')),
  'the status 000': (socket) => socket.end(rawAnswer('000', '{}')),
  ...HOSTILE_ANSWERS,
} satisfies typeof HOSTILE_ANSWERS

/** Calls a tool. Returns its text, and whether it failed. */
async function call(
  client: Client,
  name: string,
): Promise<readonly [text: string, failed: boolean]> {
  const { content, isError } = await client.callTool({ name, arguments: {} })
  return [JSON.stringify(content), isError === true]
}

test('promise hostile servers: whatever a server answers to a call or about a login, serve and the calls of other servers go on', async () => {
  const login = await startRawLogin()
  // Each request renews the login first.
  login.tokens = { expires_in: 0 }
  const { url } = login.options
  const folder = makeFolder({
    [SERVER_FILE]: HEALTHY,
    'toolblocks.toml': `[mcp.servers.hostile]
url = "${url}"
run = "unattended"

[mcp.servers.notes]
command = ${JSON.stringify(process.execPath)}
args = ["${SERVER_FILE}"]
run = "unattended"
`,
  })
  keepLogin(url, login.server.origin)
  const client = await connectClient(folder)
  expect(await call(client, 'hostile__echo')).toEqual([expect.stringContaining('well'), false])
  for (const request of ['issuer metadata', 'refresh', 'tools/call']) {
    for (const [name, answer] of Object.entries(ANSWERS)) {
      login.replace = { request, answer }
      const [hostile, healthy] = await Promise.all([
        call(client, 'hostile__echo'),
        call(client, 'notes__list'),
      ])
      expect(hostile[1], `${request}: ${name}: ${hostile[0]}`).toBe(true)
      expect(healthy).toEqual([expect.stringContaining('two notes'), false])
    }
  }
  login.replace = undefined
  expect(await call(client, 'hostile__echo')).toEqual([expect.stringContaining('well'), false])
})
