import { describe, expect, test } from 'vitest'
import { connectServer } from './connect-server.ts'
import type { ServerHooks } from './client/mcp-server.ts'
import { answerMcp } from './testing/raw-mcp.support.ts'
import { rawAnswer, startRawServer } from './testing/raw-server.support.ts'
import { call, connect } from './testing/servers.support.ts'
import { rememberSecrets } from './wire/known-secrets.ts'

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.Zm9v/+~_0123456789.c2lnbmF0dXJl'

/** Every text of a value, an error or its cause. */
function show(value: unknown): string {
  if (value instanceof Error)
    return `${JSON.stringify(value, Object.getOwnPropertyNames(value))} ${String(value)} ${show(value.cause)}`
  return JSON.stringify(value) ?? ''
}

/** Hooks that collect everything that a host gets to see or to record. */
function collect(): { hooks: ServerHooks; seen: unknown[] } {
  const seen: unknown[] = []
  const note = (...values: unknown[]): void => void seen.push(values)
  return {
    seen,
    hooks: { onLog: note, onNotification: note, onStateChange: (state) => note(state) },
  }
}

type Echo = (token: string, id: unknown) => string

const json = (status: number, body: unknown, headers = {}): string =>
  rawAnswer(status, typeof body === 'string' ? body : JSON.stringify(body), headers)

const events = (...messages: unknown[]): string =>
  rawAnswer(200, messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''), {
    'content-type': 'text/event-stream',
  })

const result = (id: unknown, text: string): object => ({
  jsonrpc: '2.0',
  id,
  result: {
    content: [{ type: 'text', text }],
    structuredContent: { [text]: text },
    _meta: { text },
  },
})

const logged = (text: string): object => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: { [text]: text } },
})

const unicode = (text: string): string =>
  text.replaceAll(/./g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

const ECHOES: Readonly<Record<string, Echo>> = {
  'a 403 as text': (token) => json(403, `Authorization: Bearer ${token} may not do this`),
  'a 403 as JSON': (token) => json(403, { error: 'forbidden', detail: { [token]: [token] } }),
  'a 403 as JSON with escapes': (token) => json(403, `{"detail":"${unicode(token)}"}`),
  'a 403 as an address': (token) => json(403, `/denied?token=${encodeURIComponent(token)}`),
  'a 403 that needs scopes': (token) =>
    json(403, '', { 'www-authenticate': `Bearer error="insufficient_scope", scope="${token}"` }),
  'a 401': (token) => json(401, `unknown token ${token}`),
  'a 500': (token) => json(500, `Error: at Bearer ${token}`),
  'a redirect': (token) => json(302, '', { location: `https://other.example/?t=${token}` }),
  'a type of content': (token) => json(200, '{}', { 'content-type': `text/${token}` }),
  'an error of JSON-RPC': (token, id) =>
    json(200, {
      jsonrpc: '2.0',
      id,
      error: { code: -32_000, message: `bad token ${token}`, data: { [token]: token } },
    }),
  'an error of JSON-RPC with a 403': (token, id) =>
    json(403, { jsonrpc: '2.0', id, error: { code: -32_000, message: `bad ${token}` } }),
  'a result': (token, id) => json(200, result(id, `headers: ${token}`)),
  'a result with escapes': (token, id) =>
    json(200, JSON.stringify(result(id, 'HERE')).replaceAll('HERE', unicode(token))),
  'a stream': (token, id) => events(logged(`got ${token}`), result(id, `headers: ${token}`)),
  'a stream that ends early': (token) => events(logged(token)),
  'a status that HTTP does not have': (token) => `HTTP/1.1 700 ${token}\r\n\r\n`,
  'something that is no HTTP': (token) => `${token} is no HTTP\r\n\r\n`,
  'a compression that is unknown': (token) => json(200, '{}', { 'content-encoding': token }),
}

describe.for(['2025-11-25', '2026-07-28'] as const)('a server of MCP %s over HTTP', (version) => {
  test.for(Object.keys(ECHOES))(
    'that repeats the token of a call in %s does not get it into anything that a host sees',
    async (name) => {
      let isEchoed = false
      const server = await startRawServer((socket, { head, body }) => {
        const [, token = ''] = /\r\nauthorization: Bearer (\S+)/i.exec(head) ?? []
        const { method, answer } = answerMcp(head, body)
        if (method !== 'tools/call') return void socket.end(answer)
        isEchoed = token === TOKEN
        const { id } = JSON.parse(body) as { id: unknown }
        socket.end(ECHOES[name]?.(token, id) ?? '')
      })
      const { hooks, seen } = collect()
      const connected = await connect(
        {
          name: 'echo',
          transport: {
            kind: 'http',
            url: `${server.origin}/mcp`,
            headers: { Authorization: `Bearer ${TOKEN}` },
          },
          protocolVersion: version,
        },
        hooks,
      )
      seen.push(await call(connected, 'echo'))
      expect(isEchoed).toBe(true)
      const output = seen.map(show).join('\n')
      expect(output).not.toContain(TOKEN)
      expect(output).not.toContain(encodeURIComponent(TOKEN))
      expect(output).not.toContain(unicode(TOKEN))
    },
  )

  test('that repeats the token when it is connected does not get it into the error', async () => {
    const server = await startRawServer((socket, { head }) => {
      const [, token = ''] = /\r\nauthorization: Bearer (\S+)/i.exec(head) ?? []
      socket.end(json(403, `denied: ${token}`))
    })
    const failed: unknown = await connectServer({
      name: 'echo',
      transport: {
        kind: 'http',
        url: `${server.origin}/mcp`,
        headers: { Authorization: `Bearer ${TOKEN}` },
      },
      protocolVersion: version,
    }).catch((error: unknown) => error)
    expect(show(failed)).toContain('***')
    expect(show(failed)).not.toContain(TOKEN)
  })
})

/** A server that is a program: it says a text in every place. */
const SPEAKER = `
  const text = process.argv[1]
  process.stderr.write(text)
  console.log('a line with ' + text)
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const serverInfo = { name: text, version: '1' }
    const capabilities = { tools: {}, logging: {} }
    if (method === 'initialize')
      say({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } })
    else if (method === 'tools/list')
      say({ id, result: { tools: ['say', 'fail', 'end'].map((name) => ({ name, description: text, inputSchema: { type: 'object' } })) } })
    else if (params.name === 'end') process.exit(1)
    else if (params.name === 'fail') say({ id, error: { code: -32000, message: text, data: text } })
    else {
      say({ method: 'notifications/message', params: { level: 'info', data: text } })
      say({ id, result: { content: [{ type: 'text', text }] } })
    }
  })
`

test('a server that is a program says no token of another server: in no message, no other line and no standard error', async () => {
  const secret = 'a-token-0f-an0ther-server'
  rememberSecrets('https://other.example', [secret])
  const { hooks, seen } = collect()
  const server = await connect(
    {
      name: 'speaker',
      transport: { kind: 'stdio', command: process.execPath, args: ['-e', SPEAKER, secret] },
    },
    hooks,
  )
  seen.push(server.info, server.tools(), server.state, server.problems)
  for (const name of ['say', 'fail', 'end']) seen.push(await call(server, name))
  const output = seen.map(show).join('\n')
  expect(output).toContain('***')
  expect(output).not.toContain(secret)
})

test('a hostile server that issues the name of another server as a token takes no definition of it away', async () => {
  const text = 'a-name-0f-an0ther-server'
  rememberSecrets('https://hostile.example', [text], { isIssued: true })
  const server = await connect({
    name: 'speaker',
    transport: { kind: 'stdio', command: process.execPath, args: ['-e', SPEAKER, text] },
  })
  expect(server.info?.name).toBe(text)
  expect(server.tools().map(({ description }) => description)).toEqual([text, text, text])
})

test('a key in the address of a server is masked in what the server repeats, and a word there is not', async () => {
  const { origin } = await startRawServer((socket, { head, path, body }) => {
    const { method, answer } = answerMcp(head, body)
    const { id } = JSON.parse(body || '{}') as { id?: number }
    socket.end(method === 'tools/call' ? json(200, result(id, path)) : answer)
  })
  const url = `${origin}/mcp?tavilyApiKey=tvly-k3y-0f-an-address&sort_key=name`
  const server = await connect({ name: 'keyed', transport: { kind: 'http', url } })
  const output = show(await call(server, 'echo'))
  expect(output).toContain('/mcp?tavilyApiKey=***&sort_key=name')
  expect(output).not.toContain('k3y')
})

test('a header that cannot be sent is named without its value, and nothing is sent', async () => {
  const server = await startRawServer((socket) => socket.destroy())
  const headers = { Authorization: 'Bearer a-t0ken-of-two\nlines' }
  const transport = { kind: 'http', url: `${server.origin}/mcp`, headers } as const
  const error: unknown = await connectServer({ name: 'odd', transport }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('the header "Authorization" has a character that cannot be'),
    fix: 'Check "url" and "headers", and the variables in them.',
  })
  expect(show(error)).not.toContain('a-t0ken-of-two')
})
