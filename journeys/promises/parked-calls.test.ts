import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import {
  connectClient,
  connectEntry,
  connectOverHttp,
  killServer,
  serveOverHttp,
  startOverHttp,
} from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'
import { readPage, startView } from '../stage/view.ts'
import { ASKS, listQuestions, readIn, SWEEP } from '../stage/waiting.ts'

const STORE = '[store]\nurl = "sqlite:kept.db"\n'

/** A tool that needs approval, and writes down its runs. */
const DELETE = `
[tools.delete]
source = "local"
command = ["sh", "-c", "echo $1 >> runs.txt; echo deleted $1", "delete", "{{tool.arguments.path}}"]
parameters = { path = { type = "string" } }
`

const SERVE = ['serve', '--answer-within', '2']

async function call(
  client: Client,
  name: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { content } = await client.callTool({ name, arguments: values })
  return JSON.stringify(content)
}

/** Waits until a call has put its question, and returns its id. */
async function findQuestion(folder: string, besides: readonly string[] = []): Promise<string> {
  return await vi.waitFor(
    async () => {
      const open = (await listQuestions(folder)).filter(({ id }) => !besides.includes(id))
      expect(open).toHaveLength(1)
      return open[0]?.id ?? ''
    },
    { timeout: 50_000, interval: 200 },
  )
}

test('promise yes without a host: a call waits in the store, its host is killed, and after the answer the same call of the next host is executed once', async () => {
  const folder = makeFolder({ 'toolblocks.toml': STORE + DELETE })
  const first = await connectClient(folder, SERVE)
  expect(await call(first, 'delete', { path: 'a' })).toContain('waits for the approval of a person')
  const id = await findQuestion(folder)
  await killServer(first)
  const answered = await toolblocks(folder, 'questions', 'answer', id, '--yes')
  expect(answered.stderr).toContain('The call continues when its client makes it again.')
  const second = await connectClient(folder, SERVE)
  expect(await call(second, 'delete', { path: 'a' })).toContain('deleted a')
  expect(readIn(folder, 'runs.txt')).toBe('a\n')
  // A further call is another call.
  expect(await call(second, 'delete', { path: 'a' })).toContain(
    'waits for the approval of a person',
  )
})

test('promise yes without a host: a question of a program waits too, and the call continues with its answer', async () => {
  const folder = makeFolder({
    'toolblocks.toml': STORE + ASKS,
    'sweep.mjs': SWEEP,
  })
  const first = await connectClient(folder, SERVE)
  expect(await call(first, 'sweep')).toContain('Really sweep the harbor?')
  const id = await findQuestion(folder)
  await killServer(first)
  await toolblocks(folder, 'questions', 'answer', id, '--yes')
  const second = await connectClient(folder, SERVE)
  expect(await call(second, 'sweep')).toContain('swept: true')
  expect(readIn(folder, 'sweeps.txt')).toBe('sweep\n')
})

test.for([
  ['sweep', 'is killed'],
  ['delete', 'is killed'],
  ['sweep', 'ends'],
  ['delete', 'ends'],
] as const)(
  'promise yes without a host: after a call of %s has waited twice, each time until its host %s, the page and questions say that it has not continued, until it has',
  async ([name, end]) => {
    const folder = makeFolder({ 'toolblocks.toml': STORE + ASKS + DELETE, 'sweep.mjs': SWEEP })
    const [values, done] = name === 'sweep' ? [{}, 'swept: true'] : [{ path: 'a' }, 'deleted a']
    for (let made = 0; made < 2; made += 1) {
      const client = await connectClient(folder, SERVE)
      expect(await call(client, name, values)).toContain('waits for')
      await (end === 'ends' ? client.close() : killServer(client))
    }
    const id = await findQuestion(folder)
    const { address } = await startView(folder, '--answer')
    const readAll = async (): Promise<readonly string[]> => [
      await readPage(new URL(`question?id=${id}${address.hash}`, address)),
      (await toolblocks(folder, 'questions', 'show', id)).stdout,
    ]
    const readLine = async (): Promise<string> =>
      (await toolblocks(folder, 'questions', '--all')).stdout
    const readJson = async (): Promise<string> =>
      (await toolblocks(folder, 'questions', 'show', id, '--output', 'json')).stdout
    const answered = await toolblocks(folder, 'questions', 'answer', id, '--yes')
    expect(answered.stderr).toContain('The call continues when its client makes it again.')
    for (const text of await readAll()) {
      expect(text).toContain('The call continues when its client makes it again.')
      expect(text).not.toContain('has continued')
    }
    expect(await readLine()).toContain('its call has not continued')
    expect(JSON.parse(await readJson())).toMatchObject({ hasContinued: false })
    const last = await connectClient(folder, SERVE)
    expect(await call(last, name, values)).toContain(done)
    for (const text of await readAll()) {
      expect(text).toContain('The call has continued.')
      expect(text).not.toContain('makes it again')
    }
    expect(await readLine()).not.toContain('has not continued')
    expect(JSON.parse(await readJson())).toMatchObject({ hasContinued: true })
    expect(readIn(folder, name === 'sweep' ? 'sweeps.txt' : 'runs.txt')).toMatch(/^\w+\n$/)
  },
)

test('promise yes without a host: two clients that make the same call have a question each, and a yes to one runs one', async () => {
  const folder = makeFolder({ 'toolblocks.toml': STORE + DELETE })
  const [first, second] = await Promise.all([
    connectClient(folder, SERVE),
    connectClient(folder, SERVE),
  ])
  await call(first, 'delete', { path: 'a' })
  const one = await findQuestion(folder)
  expect(await call(second, 'delete', { path: 'a' })).not.toContain(one)
  await findQuestion(folder, [one])
  await toolblocks(folder, 'questions', 'answer', one, '--yes')
  expect(await call(second, 'delete', { path: 'a' })).toContain('waits for the approval')
  expect(await call(first, 'delete', { path: 'a' })).toContain('deleted a')
  expect(readIn(folder, 'runs.txt')).toBe('a\n')
})

test('promise yes without a host: a no is told to the next host, and an answer for a changed program is no answer', async () => {
  const folder = makeFolder({ 'toolblocks.toml': STORE + DELETE })
  const first = await connectClient(folder, SERVE)
  await call(first, 'delete', { path: 'a' })
  const refused = await findQuestion(folder)
  await call(first, 'delete', { path: 'b' })
  const changed = await findQuestion(folder, [refused])
  await killServer(first)
  await toolblocks(folder, 'questions', 'answer', refused, '--no', '--reason', 'not that one')
  await toolblocks(folder, 'questions', 'answer', changed, '--yes')
  const second = await connectClient(folder, SERVE)
  expect(await call(second, 'delete', { path: 'a' })).toContain('not that one')
  await second.close()
  const file = join(folder, 'toolblocks.toml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('echo deleted', 'rm -r everything; echo'))
  const third = await connectClient(folder, SERVE)
  expect(await call(third, 'delete', { path: 'b' })).toContain('waits for the approval')
  expect((await toolblocks(folder, 'questions', 'show', changed)).stdout).toContain(
    'The call does not continue with this answer: when its client made it again, it began anew.',
  )
  expect(existsSync(join(folder, 'runs.txt'))).toBe(false)
})

test('promise yes without a host: a form of a server waits for a person although its client shows no forms', async () => {
  const answer = `
    const schema = { type: 'object', properties: { boats: { type: 'integer' } }, required: ['boats'] }
    const form = await server.elicitInput({ message: 'How many boats?', requestedSchema: schema })
    return { content: [{ type: 'text', text: 'counted ' + JSON.stringify(form) }] }`
  const folder = makeFolder({
    [SERVER_FILE]: createServerProgram(
      [{ name: 'count', inputSchema: { type: 'object' } }],
      answer,
    ),
  })
  const server = `"${process.execPath}" ${SERVER_FILE}`
  const entry = {
    command: process.execPath,
    args: [inject('command'), ...SERVE, '--server', server],
  }
  const client = await connectEntry(entry, folder)
  expect(await call(client, 'count')).toContain('How many boats?')
  const id = await findQuestion(folder)
  await toolblocks(folder, 'questions', 'answer', id, '--answer', '{"boats": 12}')
  expect(await call(client, 'count')).toContain(
    String.raw`counted {\"action\":\"accept\",\"content\":{\"boats\":12}}`,
  )
})

test('promise yes without a host: a person sees which server has the tool, and which client calls it', async () => {
  const folder = makeFolder({
    'toolblocks.toml': `${STORE}[mcp.servers.harbor]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(SERVER_FILE)}]
run = "ask"

[questions]
notify = ["sh", "-c", "cat >> told"]
`,
    [SERVER_FILE]: createServerProgram(
      [{ name: 'sweep', inputSchema: { type: 'object' } }],
      "return { content: [{ type: 'text', text: 'swept' }] }",
    ),
  })
  const entry = { command: process.execPath, args: [inject('command'), ...SERVE] }
  const name = `Host \u001B[2J\u202E${'x'.repeat(500)}`
  const client = await connectEntry(entry, folder, name)
  await call(client, 'harbor__sweep')
  const id = await findQuestion(folder)
  const heading =
    /harbor__sweep \(server harbor, client "Host \\u001b\[2J\\u\{202E\}x{70,74}…"\) needs approval/
  expect((await toolblocks(folder, 'questions')).stdout).toMatch(heading)
  expect((await toolblocks(folder, 'questions', 'show', id)).stdout).toMatch(heading)
  const notification: unknown = JSON.parse(readIn(folder, 'told'))
  const conversation = expect.stringMatching(/^[\da-f-]{36}$/) as string
  const asking = expect.stringContaining('Host') as string
  expect(notification).toMatchObject({ server: 'harbor', client: asking, conversation })
  await client.close()
  await toolblocks(folder, 'questions', 'answer', id, '--no')
})

test('promise yes without a host: a form waits while another call of the server runs, and its person learns that it may belong to either', async () => {
  const answer = `
    if (name === 'slow') { await new Promise((done) => setTimeout(done, 20_000)); return { content: [] } }
    const schema = { type: 'object', properties: { boats: { type: 'integer' } }, required: ['boats'] }
    const form = await server.elicitInput({ message: 'How many boats?', requestedSchema: schema })
    return { content: [{ type: 'text', text: 'counted ' + JSON.stringify(form) }] }`
  const tools = ['slow', 'count'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  const folder = makeFolder({ [SERVER_FILE]: createServerProgram(tools, answer) })
  const server = `"${process.execPath}" ${SERVER_FILE}`
  const entry = {
    command: process.execPath,
    args: [inject('command'), ...SERVE, '--server', server],
  }
  const client = await connectEntry(entry, folder)
  expect(await call(client, 'slow')).toContain('still running')
  const asked = call(client, 'count')
  const id = await findQuestion(folder)
  const details = await toolblocks(folder, 'questions', 'show', id)
  expect(details.stdout).toContain('It does not say which of them asks')
  await toolblocks(folder, 'questions', 'answer', id, '--answer', '{"boats": 12}')
  let text = await asked
  while (!text.includes('counted')) text = await call(client, 'count')
  expect(text).toContain(String.raw`\"boats\":12`)
})

test('promise yes without a host: a yes counts for a tool that is called through call_tool, also in the next host', async () => {
  const more = tool('other', ['echo', 'other'])
  const folder = makeFolder({ 'toolblocks.toml': STORE + DELETE + more })
  const args = [...SERVE, '--defer-above', '1']
  const named = { name: 'delete', arguments: { path: 'a' } }
  const first = await connectClient(folder, args)
  expect(await call(first, 'call_tool', named)).toContain(String.raw`The call of \"delete\" waits`)
  const id = await findQuestion(folder)
  await killServer(first)
  await toolblocks(folder, 'questions', 'answer', id, '--yes')
  const second = await connectClient(folder, args)
  expect(await call(second, 'call_tool', named)).toContain('deleted a')
  expect(readIn(folder, 'runs.txt')).toBe('a\n')
})

test.for([
  ['--yes', 'after', 'deleted a', 'a\n'],
  ['--yes', 'before', 'deleted a', 'a\n'],
  ['--no', 'after', 'denied', ''],
] as const)(
  'promise yes without a host: over HTTP, a client that is back in another session gets the result of its call, which was answered with %s %s it came back',
  async ([answer, time, text, runs]) => {
    const folder = makeFolder({ 'toolblocks.toml': STORE + DELETE, 'runs.txt': '' })
    const served = await serveOverHttp(folder, ['--answer-within', '2'])
    const first = await connectOverHttp(served)
    expect(await call(first, 'delete', { path: 'a' })).toContain('waits for the approval')
    const id = await findQuestion(folder)
    // As when its host is killed: the session stays at the service.
    await first.close()
    const answerIt = async (): Promise<unknown> =>
      await toolblocks(folder, 'questions', 'answer', id, answer)
    if (time === 'before') await answerIt()
    const second = await connectOverHttp(served)
    const asked = call(second, 'delete', { path: 'a' })
    if (time === 'after') await answerIt()
    let got = await asked
    // On a busy machine, the command that answers and the program may take longer than a call waits.
    const isLate = (): boolean =>
      got.includes('is still running') ||
      (time === 'after' && got.includes('waits for the approval'))
    while (isLate()) got = await call(second, 'delete', { path: 'a' })
    expect(got).toContain(text)
    expect(readIn(folder, 'runs.txt')).toBe(runs)
    expect(await listQuestions(folder)).toEqual([])
    // A further call is another call.
    expect(await call(second, 'delete', { path: 'a' })).toContain('waits for the approval')
  },
)

test('promise yes without a host: over HTTP, two sessions that are connected have a question each', async () => {
  const folder = makeFolder({ 'toolblocks.toml': STORE + DELETE, 'runs.txt': '' })
  const served = await serveOverHttp(folder, ['--answer-within', '2'])
  const [first, second] = [await connectOverHttp(served), await connectOverHttp(served)]
  expect(await call(first, 'delete', { path: 'a' })).toContain('waits for the approval')
  const id = await findQuestion(folder)
  expect(await call(second, 'delete', { path: 'a' })).toContain('waits for the approval')
  const other = await findQuestion(folder, [id])
  await toolblocks(folder, 'questions', 'answer', id, '--yes')
  expect(await call(first, 'delete', { path: 'a' })).toContain('deleted a')
  expect(await call(second, 'delete', { path: 'a' })).toContain(other)
  expect(readIn(folder, 'runs.txt')).toBe('a\n')
})

test('promise long calls: over HTTP, a running call that a newer session follows outlives the session that made it, and is executed once', async () => {
  const build = 'echo >> started; while [ ! -e go ]; do sleep 0.1; done; echo built'
  const folder = makeFolder({ 'toolblocks.toml': STORE + tool('build', ['sh', '-c', build]) })
  const served = await serveOverHttp(folder, ['--answer-within', '1'])
  const first = await connectOverHttp(served)
  expect(await call(first, 'build')).toContain('is still running')
  const session =
    first.transport instanceof StreamableHTTPClientTransport ? first.transport.sessionId : undefined
  await first.close()
  const second = await connectOverHttp(served)
  const followed = call(second, 'build')
  expect(await followed).toContain('is still running')
  const headers = { ...served.headers, 'mcp-session-id': session ?? '' }
  expect((await fetch(served.url, { method: 'DELETE', headers })).status).toBe(200)
  writeFileSync(join(folder, 'go'), '')
  let text = ''
  while (!text.includes('built')) text = await call(second, 'build')
  expect(text).toContain('It was not made again.')
  expect(readIn(folder, 'started')).toBe('\n')
})

test('promise long calls: over HTTP, a call whose connection is lost continues, and the same call of the session gets its result', async () => {
  const build =
    'echo > started; while [ ! -e cut ]; do sleep 0.1; done; echo built >> runs.txt; echo built'
  const folder = makeFolder({ 'toolblocks.toml': STORE + tool('build', ['sh', '-c', build]) })
  const { served, running } = await startOverHttp(folder, ['--log', 'json'])
  const { url, headers } = served
  const aborts: AbortController[] = []
  const cutting: typeof fetch = async (input, init) => {
    const cut = new AbortController()
    const isCall = typeof init?.body === 'string' && init.body.includes('tools/call')
    if (isCall) aborts.push(cut)
    const signal = AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])])
    return await fetch(input, { ...init, signal })
  }
  const client = new Client({ name: 'journey', version: '1.0.0' }, { capabilities: {} })
  onTestFinished(async () => await client.close())
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    fetch: cutting,
  })
  await client.connect(transport)
  const lost = client.callTool({ name: 'build', arguments: {} }).catch(() => undefined)
  await vi.waitFor(() => expect(existsSync(join(folder, 'started'))).toBe(true), {
    timeout: 50_000,
  })
  aborts[0]?.abort()
  // The service has noticed it.
  await running.said(/"tool":"build"/)
  writeFileSync(join(folder, 'cut'), '')
  expect(await call(client, 'build')).toContain('whose result had not arrived')
  expect(readIn(folder, 'runs.txt')).toBe('built\n')
  await client.close()
  await lost
})

test('promise long calls: a call that outlives the time limit of its host continues, is executed once, and is delivered once', async () => {
  const command = ['sh', '-c', 'sleep 4; echo built >> runs.txt; echo built']
  const folder = makeFolder({
    'toolblocks.toml': STORE + tool('build', command),
  })
  const client = await connectClient(folder, ['serve', '--answer-within', '1'])
  const answer = await call(client, 'build')
  expect(answer).toContain('is still running')
  const [, id = ''] = /any\\":\[\\"([^\\]+)/.exec(answer) ?? []
  let awaited = ''
  while (!awaited.includes('built')) awaited = await call(client, 'await', { any: [id] })
  expect(await call(client, 'await', { any: [id] })).toContain('No call waits under')
  await expect(
    client.callTool({ name: 'build', arguments: {} }, undefined, { timeout: 500 }),
  ).rejects.toThrow('timed out')
  let again = ''
  while (!again.includes('built')) again = await call(client, 'build')
  expect(again).toContain('It was not made again.')
  expect(readIn(folder, 'runs.txt')).toBe('built\nbuilt\n')
})
