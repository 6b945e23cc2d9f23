import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@toolblocks/local-executor'
import type { Progress } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connectServer } from './connect-server.ts'
import type { McpServer, ServerHooks, ServerState } from './client/mcp-server.ts'
import type { LinkPolicy, ServerConfig } from './client/server-config.ts'
import { answering, call, connect, getContext, firstText } from './testing/servers.support.ts'
import type { WireMessage } from './wire/peer.ts'

const PROGRAM = fileURLToPath(new URL('testing/recording-server.support.ts', import.meta.url))

const stdio = (
  rest: Omit<Extract<ServerConfig['transport'], { kind: 'stdio' }>, 'kind' | 'command'> = {},
): ServerConfig['transport'] => ({
  kind: 'stdio',
  command: process.execPath,
  ...rest,
  args: [PROGRAM, ...(rest.args ?? [])],
})

async function connectRecorder(
  config: Partial<ServerConfig> = {},
  hooks: ServerHooks = {},
): Promise<McpServer> {
  return await connect({ name: 'berth', transport: stdio(), ...config }, hooks)
}

const readReport = async (server: McpServer, name: string, values: object = {}): Promise<unknown> =>
  JSON.parse(firstText(await call(server, name, { ...values })))

describe('a server that is a program', () => {
  test('receives its arguments, its variables and its folder, and its data is returned', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-folder-')))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const transport = stdio({ args: ['--quay', '7'], env: { OWN: 'value' }, cwd: folder })
    const server = await connectRecorder({ transport })
    expect(await readReport(server, 'start')).toEqual({
      args: ['--quay', '7'],
      own: 'value',
      folder,
      clientInfo: { name: 'toolblocks', version: '0' },
      capabilities: {},
    })
    const { name, protocolVersion, info, instructions, state, problems } = server
    expect({ name, protocolVersion, info, instructions, state, problems }).toEqual({
      name: 'berth',
      protocolVersion: '2025-11-25',
      info: { name: 'recorder', version: '4.2', title: 'The Recorder' },
      instructions: 'Call "start" first.',
      state: { kind: 'connected' },
      problems: [],
    })
  })

  test('is also connected by the fields of an entry of .mcp.json', async () => {
    const { kind: _, ...entry } = { ...stdio({ args: ['--quay', '8'] }), cwd: tmpdir() }
    const server = await connectServer({ name: 'berth', ...entry }, {}, { startProgram })
    onTestFinished(async () => await server.close())
    expect(await readReport(server, 'start')).toMatchObject({ args: ['--quay', '8'] })
  })

  test('receives the arguments of a call under its own name, and a token if progress is needed', async () => {
    const server = await connectRecorder()
    const callArguments = { berth: 4, deep: [{ a: null }] }
    expect(await readReport(server, 'given', callArguments)).toEqual({
      name: 'given',
      arguments: callArguments,
      token: 'undefined',
    })
    const heard = await call(server, 'given', callArguments, { onProgress: () => undefined })
    expect(JSON.parse(firstText(heard))).toMatchObject({ token: 'string' })
  })

  test('reports progress: the count, the total and the message', async () => {
    const reports: Progress[] = []
    const onProgress = (progress: Progress): void => void reports.push(progress)
    await call(await connectRecorder(), 'report', {}, { onProgress })
    expect(reports).toEqual([{ progress: 2, total: 5, message: 'two of five' }])
  })
})

describe('what a server answers', () => {
  test('keeps every warning: of its reading, of the schema of its tool, of the stored copy', async () => {
    const server = await connectRecorder()
    const result = {
      content: [{ type: 'video' }, { type: 'text', text: 'kept' }],
      structuredContent: { n: 'x' },
      _meta: { 'example.com/a': 1 },
    }
    const keepBytes = async (): Promise<never> => await Promise.reject(new Error('disk full'))
    const answered = await call(server, 'promise', { result }, { keepBytes })
    expect(answered).toMatchObject({
      structuredContent: { n: 'x' },
      _meta: { 'example.com/a': 1 },
    })
    expect(answered.metadata?.warnings?.map(({ code }) => code).toSorted()).toEqual([
      'output-schema',
      'raw-not-kept',
      'unknown-block-type',
    ])
  })

  test('that cannot be started again is quoted with the reason', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'toolblocks-folder-'))
    onTestFinished(() => rmSync(cwd, { recursive: true }))
    const server = await connectRecorder({ transport: stdio({ cwd }) })
    await call(server, 'close')
    const { content, metadata } = await call(server, 'start')
    expect(content).toMatchObject([
      { text: expect.stringContaining('MCP server "berth" could not be connected') },
      { text: 'the berth is closed' },
    ])
    expect(metadata).toMatchObject({ maybeExecuted: false })
    expect(server.state).toMatchObject({ kind: 'lost', serverText: 'the berth is closed' })
  })
})

test('the timeout for connecting is that of the configuration, also when it is opened again', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'toolblocks-folder-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const server = await connectRecorder({
    transport: stdio({ args: ['slow-when-closed'], cwd }),
    connectTimeoutMs: 4000,
  })
  await call(server, 'close')
  const begin = performance.now()
  const { content } = await call(server, 'start')
  expect(content).toMatchObject([
    { text: expect.stringContaining('it did not answer "initialize" in time') },
  ])
  // Far from the default of 30 seconds.
  expect(performance.now() - begin).toBeLessThan(20_000)
})

describe('the hooks of a host', () => {
  test('declare the capabilities that are offered, and answer with the server’s data', async () => {
    const asked: unknown[] = []
    const answer = (name: string) => async (params: object, signal: AbortSignal) => {
      asked.push([name, params, signal.aborted])
      return { name }
    }
    const hooks = { canAsk: true, listRoots: answer('roots'), createMessage: answer('model') }
    const server = await connectRecorder({}, hooks)
    expect(await readReport(server, 'start')).toMatchObject({
      capabilities: { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} },
    })
    const roots = { method: 'roots/list', params: { cursor: 'c0' } }
    expect(await readReport(server, 'ask-host', roots)).toMatchObject({ result: { name: 'roots' } })
    const model = { method: 'sampling/createMessage', params: { maxTokens: 9 } }
    expect(await readReport(server, 'ask-host', model)).toMatchObject({ result: { name: 'model' } })
    expect(asked).toEqual([
      ['roots', { cursor: 'c0' }, false],
      ['model', { maxTokens: 9 }, false],
    ])
  })

  test('answer the questions of a result first', async () => {
    const asked: unknown[] = []
    const hooks: ServerHooks = {
      listRoots: async (params) => ({ roots: [asked.push(params)] }),
      createMessage: async (params) => ({ model: asked.push(params) }),
      onMessage: ({ direction, message }) => {
        const params = message['params'] as { inputResponses?: object } | undefined
        if (direction === 'sent' && params?.inputResponses) sent.push(params.inputResponses)
      },
    }
    const sent: object[] = []
    await call(await connectRecorder({}, hooks), 'ask-all')
    expect(asked.slice(0, 2)).toEqual([{ cursor: 'c1' }, { maxTokens: 7 }])
    expect(sent[0]).toEqual({ roots: { roots: [1] }, model: { model: 2 } })
  })

  test('receive the log, a changed list, every message and each change of the connection', async () => {
    const logs: unknown[] = []
    const lists: McpServer[] = []
    const messages: WireMessage[] = []
    const states: ServerState[] = []
    const server = await connectRecorder(
      {},
      {
        onLog: (params) => void logs.push(params),
        onToolsChanged: (changed) => void lists.push(changed),
        onMessage: (message) => void messages.push(message),
        onStateChange: (state) => void states.push(state),
      },
    )
    await call(server, 'log')
    await call(server, 'rename')
    expect(logs).toEqual([{ level: 'warning', logger: 'deck', data: { berth: 4 } }])
    await vi.waitFor(() => expect(lists).toEqual([server]))
    expect(messages[0]).toMatchObject({ direction: 'sent', message: { method: 'initialize' } })
    expect(messages).toContainEqual({
      direction: 'received',
      message: {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'warning', logger: 'deck', data: { berth: 4 } },
      },
    })
    await call(server, 'stop')
    const before = Date.now()
    await call(server, 'stop')
    expect(await call(server, 'start')).toMatchObject({
      isError: true,
      metadata: { outcome: 'failed', maybeExecuted: false },
      content: [
        { text: expect.stringContaining('the program ended with code 6; the next attempt is in') },
        { text: 'no water left' },
      ],
      _meta: { 'computer.jp/error': { transient: true } },
    })
    await server.close()
    const lost = {
      kind: 'lost',
      reason: 'the program ended with code 6',
      serverText: 'no water left',
      retryAt: expect.any(Number),
    }
    expect(states).toEqual([lost, { kind: 'connected' }, lost, { kind: 'closed' }])
    expect((states[2] as typeof lost).retryAt).toBeGreaterThan(before)
  })
})

describe('the target of a link', () => {
  const link = (uri: string, rest: object = {}) => ({
    type: 'resource_link',
    uri,
    name: uri,
    ...rest,
  })
  const result = {
    content: [link('a:1', { annotations: { priority: 1 } }), link('a:2'), link('a:3')],
  }

  async function sizesWith(links: LinkPolicy): Promise<unknown> {
    const server = await connectRecorder({ links })
    const { content, metadata } = await call(server, 'say', { result })
    const sizes = content.flatMap((block) =>
      block.type === 'resource' ? [block.resource.text?.length] : [],
    )
    return [sizes, metadata?.warnings?.map(({ message }) => message) ?? []]
  }

  test.for<[LinkPolicy, unknown]>([
    [{}, [[], []]],
    [{ mode: 'preview' }, [[2048, 2048, 2048], []]],
    [
      { mode: 'inline', maxLinks: 2 },
      [[3000, 3000], ['The link to a:3 was not read: only 2 links of a result are read.']],
    ],
    [
      { mode: 'inline', maxBytes: 2000 },
      [
        [],
        ['a:1', 'a:2', 'a:3'].map(
          (uri) => `The link to ${uri} was not read: it has 3000 bytes, and the limit is 2000.`,
        ),
      ],
    ],
    [
      { mode: 'inline', maxTotalBytes: 7000 },
      [[3000, 3000], ['The link to a:3 was not read: it has 3000 bytes, and the limit is 1000.']],
    ],
  ])('is read as the server is configured: %j', async ([links, read]) => {
    expect(await sizesWith(links)).toEqual(read)
  })

  test('is added after its link with its type, its audience and its origin', async () => {
    const server = await connectRecorder({ links: { mode: 'preview', maxLinks: 1 } })
    const { content } = await call(server, 'say', { result })
    expect(content[1]).toEqual({
      type: 'resource',
      resource: { uri: 'a:1', mimeType: 'text/plain', text: 'x'.repeat(2048) },
      annotations: { priority: 1 },
      _meta: { 'toolblocks/resolved-from': 'a:1' },
    })
  })

  test('has no preview if it is not text, with a warning', async () => {
    const server = await connectRecorder({ links: { mode: 'preview' } })
    const { content, metadata } = await call(server, 'say', {
      result: { content: [link('a:bytes')] },
    })
    expect(content).toHaveLength(1)
    expect(metadata?.warnings).toEqual([
      {
        path: '',
        message: 'The link to a:bytes was not read: it is not text, so it has no preview.',
        code: 'link-not-read',
      },
    ])
  })

  test('is known to the server’s readers, and read with all its warnings', async () => {
    const server = await connectRecorder({ timeoutMs: 1500 })
    await call(server, 'say', { result })
    expect([server.hasLinked('a:1'), server.hasLinked('a:4')]).toEqual([true, false])
    expect(await server.readResource('a:1', getContext())).toEqual({
      isError: false,
      content: [
        {
          type: 'resource',
          resource: { uri: 'a:1', mimeType: 'text/plain', text: 'x'.repeat(3000) },
        },
      ],
      _meta: { 'example.com/read': 1 },
    })
    expect(await server.readResource('a:hang', getContext())).toMatchObject({
      isError: true,
      metadata: { outcome: 'timeout' },
      content: [
        {
          text: 'Reading "a:hang" from the MCP server "berth" timed out after 1.5 seconds.',
        },
      ],
    })
    const aborted = AbortSignal.abort()
    expect(await server.readResource('a:hang', getContext({ signal: aborted }))).toMatchObject({
      isError: true,
      metadata: { outcome: 'cancelled' },
    })
  })
})

describe('the configuration of one tool', () => {
  test('sets its texts for the model, and its timeout', async () => {
    const server = await connectRecorder({
      timeoutMs: 20_000,
      tools: { hang: { summary: 'Waits for the tide.', timeoutMs: 200 }, gone: {} },
    })
    const tool = server.tools().find(({ name }) => name === 'berth__hang')
    expect(tool).toMatchObject({ summary: 'Waits for the tide.' })
    expect(firstText(await call(server, 'hang'))).toContain('timed out after 0.2 seconds')
    expect(server.problems).toEqual([
      {
        path: '/gone',
        message: 'The server "berth" has no tool "gone"; its settings are not used.',
        code: 'unused-override',
      },
    ])
  })

  test('can make its calls stay alive: as a task, whose question belongs to the call', async () => {
    const server = await connectRecorder({ tools: { task: { stateful: true } } }, { canAsk: true })
    const tool = server.tools().find(({ name }) => name === 'berth__task')
    const { ask } = answering(() => ({ action: 'decline' }))
    const toolCall = { id: 'call-9', name: 'berth__task', arguments: { tide: 'low' } }
    const live = await tool?.spawn?.(toolCall, getContext({ ask }))
    if (!live) throw new Error('the tool cannot be spawned')
    const { signal } = new AbortController()
    const contents: string[] = []
    let last = live.started
    for (let looks = 0; looks < 20 && !contents.includes('question'); looks++) {
      last = await live.fetch({ signal })
      contents.push(
        ...last.content.map((block) => (block.type === 'text' ? block.text : block.type)),
      )
    }
    expect(contents).toEqual(['casting off', 'question'])
    const id = last.content.flatMap((b) => (b.type === 'question' ? [b.question.id] : []))[0]
    const end = await live.apply({ answers: { [String(id)]: { name: 'north' } } }, { signal })
    const rest = [end, await live.fetch({ signal }), await live.fetch({ signal })]
    expect(JSON.stringify(rest)).toContain('moored')
  })
})
