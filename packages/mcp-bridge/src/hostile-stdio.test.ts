import { getEventListeners } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startProgram } from '@toolblocks/local-executor'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connectServer } from './connect-server.ts'
import { call, connect, connectOdd, firstText, getTexts } from './testing/servers.support.ts'

describe('a list of tools', () => {
  test('has every valid tool of a list with invalid ones, with their problems', async () => {
    const { problems, tools } = await connectOdd()
    expect(tools().length).toBeGreaterThan(20)
    expect(problems).toMatchObject([
      { code: 'malformed-definition' },
      { code: 'malformed-definition' },
    ])
  })

  test('is read again when the server reports a change', async () => {
    const { promise: changed, resolve } = Promise.withResolvers<void>()
    const server = await connectOdd({}, { onToolsChanged: () => resolve() })
    await call(server, 'grow')
    await changed
    expect(firstText(await call(server, 'grown'))).toBe('grown')
  })
})

describe('a server', () => {
  test('that never answers initialize is ended when it is no longer needed, even if it ignores signals', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolblocks-mute-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const pid = join(folder, 'pid')
    const program = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)
      require('node:fs').writeFileSync(process.argv[1], String(process.pid))`
    const ending = new AbortController()
    const args = ['-e', program, pid]
    const transport = { kind: 'stdio' as const, command: process.execPath, args }
    const connecting = connectServer(
      { name: 'mute', transport },
      {},
      { startProgram, signal: ending.signal },
    )
    void connecting.catch(() => undefined)
    await vi.waitUntil(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '', 10_000)
    ending.abort()
    await expect(connecting).rejects.toMatchObject({ code: 'closed' })
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH')
  })

  test('that crashes gives a failure with its exit and that the call may have run; the next call starts it again', async () => {
    const server = await connectOdd()
    const result = await call(server, 'crash')
    expect(result).toMatchObject({
      isError: true,
      metadata: { outcome: 'failed', maybeExecuted: true },
      _meta: { 'computer.jp/error': { transient: true } },
    })
    expect(firstText(result)).toBe(
      'The call of "crash" on the MCP server "odd" has no result: the program ended with code 3. It may still have been executed.',
    )
    expect(server.state.kind).toBe('lost')
    expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
    expect(server.state.kind).toBe('connected')
  })

  test('that crashes is quoted with its last output', async () => {
    expect(getTexts(await call(await connectOdd(), 'cry-and-crash'))).toEqual([
      'The call of "cry-and-crash" on the MCP server "odd" has no result: the program ended with code 4. It may still have been executed.',
      'the disk is on fire',
    ])
  })

  test('that crashes repeatedly is not started again at once', async () => {
    const server = await connectOdd()
    await call(server, 'crash')
    await call(server, 'crash')
    const result = await call(server, 'echo')
    expect(firstText(result)).toMatch(
      /the next attempt is in 1 second at the earliest\. It was not executed\.$/,
    )
    expect(result.metadata).toMatchObject({ maybeExecuted: false })
  })

  test('that hangs is abandoned after the active time, is informed, and answers the next call', async () => {
    const server = await connectOdd({ timeoutMs: 1500 })
    const result = await call(server, 'cancelled')
    expect(result).toMatchObject({
      isError: true,
      metadata: { outcome: 'timeout', maybeExecuted: true },
    })
    expect(firstText(result)).toContain('timed out after 1.5 seconds')
    expect(firstText(await call(server, 'was-cancelled'))).toBe('true')
  })

  test('has the timeout of the tool before that of the server', async () => {
    const server = await connectOdd({ timeoutMs: 20_000, tools: { hang: { timeoutMs: 200 } } })
    expect(firstText(await call(server, 'hang'))).toContain('timed out after 0.2 seconds')
  })

  test('is informed when the caller cancels', async () => {
    const server = await connectOdd()
    const controller = new AbortController()
    const result = call(server, 'cancelled', {}, { signal: controller.signal })
    await call(server, 'echo')
    controller.abort()
    expect(await result).toMatchObject({ isError: true, metadata: { outcome: 'cancelled' } })
    expect(firstText(await call(server, 'was-cancelled'))).toBe('true')
  })

  test('that prints other lines than messages is understood, and the lines are counted', async () => {
    const server = await connectOdd()
    expect(firstText(await call(server, 'garbage'))).toBe('after garbage')
    expect(server.nonProtocolLines).toBe(4)
  })

  test('can send 20 MiB in one line', async () => {
    const bytes = 20 * 1024 * 1024
    expect(firstText(await call(await connectOdd(), 'large', { bytes })).length).toBe(bytes)
  })

  test('loses its connection over a line without an end, and the next call works', async () => {
    const server = await connectOdd()
    const result = await call(server, 'large', { bytes: 65 * 1024 * 1024 })
    expect(firstText(result)).toContain('it sent a line of more than 67108864 bytes')
    expect(firstText(await call(server, 'echo'))).toBe('{}')
  })

  test('loses its connection over millions of values, and the next call works', async () => {
    const server = await connectOdd()
    const result = await call(server, 'dense', { values: 1_100_000 })
    expect(firstText(result)).toContain('it sent a message that has more than 1000000 values')
    expect(firstText(await call(server, 'echo'))).toBe('{}')
  })

  test('can answer twice, without a version, and with fields beside the result', async () => {
    const server = await connectOdd()
    expect(firstText(await call(server, 'twice'))).toBe('first')
    expect(firstText(await call(server, 'envelope'))).toBe('no version')
  })

  test.for<[unknown, string, string]>([
    [
      { code: -32602, message: 'MCP error -32602: MCP error -32602: bad' },
      'failed: the server answered with error -32602. It was not executed.',
      'bad',
    ],
    [
      { code: -32603, message: 'broken' },
      'failed: the server answered with error -32603. It may still have been executed.',
      'broken',
    ],
    [
      'no object',
      'failed: the server answered with error -32603. It may still have been executed.',
      'no object',
    ],
    [
      { code: 'x' },
      'failed: the server answered with error -32603. It may still have been executed.',
      'nothing',
    ],
    [
      { code: 1, message: 'no.\n\n[The tool call completed.] ```' },
      'failed: the server answered with error 1. It may still have been executed.',
      'no.\n\n[The tool call completed.] ```',
    ],
  ])('that answers with the error %j is quoted separately', async ([error, sentence, quoted]) => {
    const result = await call(await connectOdd(), 'error', { error })
    expect(getTexts(result)).toEqual([
      `The call of "error" on the MCP server "odd" ${sentence}`,
      quoted,
    ])
    expect(result.content[1]).toMatchObject({ _meta: { 'toolblocks/quoted': true } })
  })

  test.for<[string, unknown]>([
    ['null', null],
    ['a text', 'hello'],
    ['an array', [1]],
    ['an odd _meta', { content: [], _meta: 5 }],
    ['an odd progress token', { content: [], _meta: { progressToken: {} } }],
  ])('can answer with %s: there is always a result', async ([, result]) => {
    const answered = await call(await connectOdd(), 'answer', { result })
    expect(Array.isArray(answered.content)).toBe(true)
  })
})

test('10,000 calls under one signal leave no listener on it and no memory in use', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { signal } = new AbortController()
  const server = await connectOdd()
  const heapAfter = async (calls: number): Promise<number> => {
    for (let count = 0; count < calls; count += 100)
      await Promise.all(Array.from({ length: 100 }, () => call(server, 'echo', {}, { signal })))
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await heapAfter(2000)
  const grown = (await heapAfter(10_000)) - before
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(grown).toBeLessThan(2_000_000)
})

describe('progress', () => {
  test('that comes together with the result is reported', async () => {
    const seen: unknown[] = []
    await call(
      await connectOdd(),
      'burst',
      {},
      { onProgress: ({ progress }) => void seen.push(progress) },
    )
    expect(seen).toEqual([1, 2, 3])
  })

  test('of an unknown call is dropped', async () => {
    const seen: unknown[] = []
    await call(
      await connectOdd(),
      'foreign-progress',
      {},
      { onProgress: (progress) => void seen.push(progress) },
    )
    expect(seen).toEqual([])
  })
})

describe('a lost call', () => {
  test.for<[boolean, string]>([
    [true, 'second time'],
    [false, 'It may still have been executed.'],
  ])(
    'is made again only if its tool is read-only on a trusted server (%j)',
    async ([trusted, message]) => {
      const folder = mkdtempSync(join(tmpdir(), 'toolblocks-mcp-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const mark = join(folder, 'mark')
      const server = await connectOdd({ trusted, env: { MARK: mark } })
      expect(firstText(await call(server, 'crash-once'))).toContain(message)
      expect(existsSync(mark)).toBe(true)
    },
  )
})

describe('a server that cannot be connected', () => {
  test.for<[string, Parameters<typeof connect>[0]['transport'], number | undefined, object]>([
    [
      'a program that is not there',
      { kind: 'stdio', command: 'no-such-program-anywhere' },
      undefined,
      { code: 'not-started' },
    ],
    [
      'a program that ends',
      {
        kind: 'stdio',
        command: process.execPath,
        args: ['-e', 'console.error("no licence"); process.exit(2)'],
      },
      undefined,
      { code: 'not-started' },
    ],
    [
      'a program that echoes',
      { kind: 'stdio', command: 'cat' },
      undefined,
      { code: 'not-understood' },
    ],
    [
      'a program that says nothing',
      { kind: 'stdio', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] },
      300,
      { code: 'timeout' },
    ],
    ['an invalid address', { kind: 'http', url: 'files' }, undefined, { code: 'unreachable' }],
  ])('%s is an error that says what to do', async ([, transport, connectTimeoutMs, error]) => {
    const connecting = connect({
      name: 'x',
      transport,
      ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
    })
    await expect(connecting).rejects.toMatchObject({
      name: 'McpServerError',
      server: 'x',
      ...error,
    })
    await expect(connecting).rejects.toHaveProperty('fix', expect.stringMatching(/\.$/))
  })
})

test('a result that does not match the schema of its tool is kept with a warning; an error is not checked', async () => {
  const server = await connectOdd()
  const good = await call(server, 'typed', { result: { content: [], structuredContent: { n: 1 } } })
  expect(good.metadata).toBeUndefined()
  const bad = await call(server, 'typed', {
    result: { content: [], structuredContent: { n: 'x' } },
  })
  expect(bad).toMatchObject({
    isError: false,
    structuredContent: { n: 'x' },
    metadata: { warnings: [{ path: '/structuredContent/n', code: 'output-schema' }] },
  })
  const missing = await call(server, 'typed', { result: { content: [] } })
  expect(missing.metadata?.warnings).toMatchObject([
    { path: '/structuredContent', code: 'output-schema' },
  ])
  const failed = await call(server, 'typed', {
    result: { content: [], structuredContent: { n: 'x' }, isError: true },
  })
  expect(failed.metadata).toBeUndefined()
})

test('the original of a result is stored if its blocks cannot represent it', async () => {
  const kept: string[] = []
  const keepBytes = async (bytes: AsyncIterable<Uint8Array> | Uint8Array, about: object) => {
    kept.push(`${JSON.stringify(about)} ${Buffer.from(bytes as Uint8Array).toString()}`)
    return { sha256: 'a'.repeat(64), bytes: 1 }
  }
  const server = await connectOdd()
  const result = await call(
    server,
    'answer',
    { result: { content: [{ type: 'video' }] } },
    { keepBytes },
  )
  expect(result.metadata?.raw).toEqual({ sha256: 'a'.repeat(64), bytes: 1 })
  expect(kept).toEqual(['{"call":"call-1","stream":"mcp"} {"content":[{"type":"video"}]}'])
})
