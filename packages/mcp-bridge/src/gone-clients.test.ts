import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLocalTool } from '@toolblocks/local-executor'
import {
  booleanQuestion,
  createSuccessResult,
  type JsonObject,
  type ToolResult,
} from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bearer, serve, tool } from './testing/served.support.ts'
import type { RunningHttpService } from './serve-http.ts'

/** Writes its process id, and would run for a minute. */
const PROGRAM = 'echo $$ > pid; exec sleep 60'
const STATELESS = '2026-07-28'
const META = 'io.modelcontextprotocol'

function makeFolder(): { root: string; pid: () => Promise<number> } {
  const root = mkdtempSync(join(tmpdir(), 'toolblocks-gone-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const file = join(root, 'pid')
  return {
    root,
    pid: async () => {
      await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 10_000)
      return Number(readFileSync(file, 'utf8'))
    },
  }
}

/** Expects that the tool process ends long before it would by itself. */
async function ends(pid: number): Promise<void> {
  await vi.waitUntil(() => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  }, 10_000)
}

/** Serves one tool, which is a program, and records the results of its calls. */
async function serveProgram(
  root: string,
): Promise<{ served: RunningHttpService; results: ToolResult[] }> {
  const command = { program: PROGRAM, shell: true } as const
  const local = createLocalTool({ ...tool(), command })
  const results: ToolResult[] = []
  const served = await serve(
    async (call, { signal }) => {
      const result = await local.execute(call, { signal, root, answers: {} })
      results.push(result)
      return result
    },
    { root },
  )
  return { served, results }
}

async function post(
  served: RunningHttpService,
  message: JsonObject,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  return await fetch(served.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...bearer(served),
      ...headers,
    },
    body: JSON.stringify(message),
    signal,
  })
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
}

const makeCall = (id: number, more: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'tool', arguments: {}, ...more },
})

const statelessCall = makeCall(1, {
  _meta: {
    [`${META}/protocolVersion`]: STATELESS,
    [`${META}/clientInfo`]: { name: 'x', version: '1' },
    [`${META}/clientCapabilities`]: {},
  },
})

/** Sends `initialize` by hand; returns the header that names the session. */
async function initialize(
  served: RunningHttpService,
  capabilities: JsonObject = {},
): Promise<Record<string, string>> {
  const params = { ...INITIALIZE.params, capabilities }
  const initialized = await post(served, { ...INITIALIZE, params })
  await initialized.text()
  return { 'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '' }
}

test.for([0, 1])(
  'a call whose connection breaks is cancelled, its program ends, and the session continues (id %i)',
  async (id) => {
    const { root, pid } = makeFolder()
    const { served, results } = await serveProgram(root)
    const session = await initialize(served)
    const gone = new AbortController()
    const answer = post(served, makeCall(id), session, gone.signal).then((got) => got.text())
    void answer.catch(() => undefined)
    const running = await pid()
    gone.abort()
    await ends(running)
    await expect(answer).rejects.toThrow('abort')
    await vi.waitUntil(() => results.length === 1)
    expect(results).toMatchObject([{ isError: true, metadata: { outcome: 'cancelled' } }])
    const list = await post(served, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, session)
    expect(await list.text()).toContain('"name":"tool"')
  },
)

test('of two calls of one client, only the one whose connection breaks is cancelled', async () => {
  const { promise: go, resolve: proceed } = Promise.withResolvers<void>()
  const aborted: unknown[] = []
  const running: unknown[] = []
  const served = await serve(async ({ arguments: { n } }, { signal }) => {
    signal.addEventListener('abort', () => aborted.push(n))
    running.push(n)
    await go
    return { content: [{ type: 'text', text: `answer ${String(n)}` }], isError: false }
  })
  const session = await initialize(served)
  const gone = new AbortController()
  const dropped = post(served, makeCall(1, { arguments: { n: 1 } }), session, gone.signal)
  void dropped.then((got) => got.text()).catch(() => undefined)
  const kept = post(served, makeCall(2, { arguments: { n: 2 } }), session)
  await vi.waitUntil(() => running.length === 2)
  gone.abort()
  await vi.waitUntil(() => aborted.length > 0)
  proceed()
  expect(await (await kept).text()).toContain('answer 2')
  expect(aborted).toEqual([1])
})

test('of two calls of one client, the older one asks on its own connection while the newer one runs', async () => {
  const asking = Promise.withResolvers<void>()
  const question = booleanQuestion({ id: 'q', text: 'Sure?' })
  const served = await serve(async (call, { ask, signal }) => {
    if (call.arguments['n'] === 2) {
      asking.resolve()
      await new Promise((done) => signal.addEventListener('abort', done))
      return createSuccessResult([])
    }
    await asking.promise
    const source = { kind: 'question', call } as const
    const answer = await ask?.user?.(question, { blocks: [], source, signal })
    return createSuccessResult([{ type: 'text', text: `answered: ${String(answer?.action)}` }])
  })
  const session = await initialize(served, { elicitation: { form: {} } })
  const open = async (n: number): Promise<() => Promise<string>> => {
    const { body } = await post(served, makeCall(n, { arguments: { n } }), session)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    return async () => (await reader?.read())?.value ?? ''
  }
  const older = await open(1)
  const newer = await open(2)
  const asked = await Promise.race([
    older().then((event) => ['older', event] as const),
    newer().then((event) => ['newer', event] as const),
  ])
  expect(asked).toEqual(['older', expect.stringContaining('Sure?')])
  const [, id] = /"id":("[^"]*"|\d+)/.exec(asked[1]) ?? []
  const answer = { jsonrpc: '2.0', id: JSON.parse(id ?? ''), result: { action: 'decline' } }
  await post(served, answer, session)
  expect(await older()).toContain('answered: decline')
})

test('a call whose session is deleted is cancelled, and its program ends', async () => {
  const { root, pid } = makeFolder()
  const { served, results } = await serveProgram(root)
  const session = await initialize(served)
  const answer = post(served, makeCall(1), session).then((got) => got.text())
  void answer.catch(() => undefined)
  const running = await pid()
  await fetch(served.url, {
    method: 'DELETE',
    headers: { ...bearer(served), ...session },
  })
  await ends(running)
  await vi.waitUntil(() => results.length === 1)
  expect(results[0]?.metadata?.outcome).toBe('cancelled')
  await answer
})

test('a call of MCP 2026-07-28 whose connection breaks is cancelled, and its program ends', async () => {
  const { root, pid } = makeFolder()
  const { served, results } = await serveProgram(root)
  const headers = {
    'mcp-protocol-version': STATELESS,
    'mcp-method': 'tools/call',
    'mcp-name': 'tool',
  }
  const gone = new AbortController()
  const answer = post(served, statelessCall, headers, gone.signal).then((got) => got.text())
  void answer.catch(() => undefined)
  const running = await pid()
  gone.abort()
  await ends(running)
  await vi.waitUntil(() => results.length === 1)
  expect(results[0]?.metadata?.outcome).toBe('cancelled')
})

const PROGRAM_FILE = fileURLToPath(new URL('testing/stdio-tools.support.ts', import.meta.url))

test.for([
  [
    '2025-11-25',
    [INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' }, makeCall(1)],
  ],
  ['2026-07-28', [statelessCall]],
] as const)(
  'a call over standard streams (%s) is cancelled when the input ends, and its program ends',
  async ([, messages]) => {
    const { root, pid } = makeFolder()
    const server = spawn(process.execPath, [PROGRAM_FILE, root, PROGRAM], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    onTestFinished(() => void server.kill('SIGKILL'))
    for (const message of messages) server.stdin.write(`${JSON.stringify(message)}\n`)
    const running = await pid()
    server.stdin.end()
    await ends(running)
    // Only the cancellation can have ended it: the server is still running.
    expect(server.exitCode ?? server.signalCode).toBeNull()
  },
)
