import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { createSuccessResult, type JsonObject } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serveStdio } from './serve-stdio.ts'
import type { ServeCall } from './server/tool-service.ts'
import { META, postCall, VERSION } from './testing/post-call.support.ts'
import { bearer, serve, tool } from './testing/served.support.ts'

const STATELESS = {
  [`${META}/protocolVersion`]: VERSION,
  [`${META}/clientCapabilities`]: { elicitation: { form: {} } },
}
const CALL = { name: 'tool', arguments: {} }

async function settle(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
}

/** A tool that has some last words when it is cancelled. `signals`: those of its calls. */
function createLongTool() {
  const signals: AbortSignal[] = []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const callTool: ServeCall = async (_call, { signal }) => {
    signals.push(signal)
    begin()
    await once(signal, 'abort')
    await settle(5)
    return createSuccessResult([{ type: 'text', text: 'last words' }])
  }
  return { callTool, signals, begun }
}

/** A tool whose calls wait for an answer. */
function createAskingTool() {
  const signals: AbortSignal[] = []
  const callTool: ServeCall = async (call, { signal, ask }) => {
    signals.push(signal)
    const request = { id: 'run', text: 'Run?', schema: { type: 'boolean' } }
    await ask?.user?.(request, { blocks: [], source: { kind: 'question', call }, signal })
    return createSuccessResult([])
  }
  return { callTool, signals }
}

/** Serves a tool on streams that the test writes and reads. */
async function serveStreams(callTool: ServeCall) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = await serveStdio(
    { name: 's', version: '1', root: '/', definitions: () => [tool()], callTool },
    { input, output },
  )
  onTestFinished(async () => await served.close({ graceMs: 0 }))
  let written = ''
  output.setEncoding('utf8').on('data', (text: string) => (written += text))
  return {
    served,
    input,
    written: () => written,
    send: (id: number, method: string, params: JsonObject) =>
      void input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`),
    waitFor: async (text: string) => {
      while (!written.includes(text)) await once(output, 'data')
    },
  }
}

describe('the end of a service over standard streams', () => {
  test('comes after the results of its calls and streams were written, and nothing is read any more', async () => {
    const { callTool, begun } = createLongTool()
    const { served, input, send, written, waitFor } = await serveStreams(callTool)
    const notifications = { toolsListChanged: true }
    send(1, 'subscriptions/listen', { notifications, _meta: STATELESS })
    await waitFor('acknowledged')
    send(2, 'tools/call', { ...CALL, _meta: STATELESS })
    await begun
    let hasClosed = false
    void served.closed.then(() => (hasClosed = true))
    await served.close({ graceMs: 0 })
    await settle(1)
    expect(written()).toContain('last words')
    expect(written()).toContain('"id":1,"result"')
    expect(hasClosed).toBe(true)
    expect(input.listenerCount('data')).toBe(0)
  })

  test('does not wait for the answer of a client', async () => {
    const { callTool, signals } = createAskingTool()
    const { served, send, waitFor } = await serveStreams(callTool)
    send(1, 'tools/call', { ...CALL, _meta: STATELESS })
    await waitFor('input_required')
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await served.close({ graceMs: 60_000 })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('is that of its client, whose waiting calls end', async () => {
    const { callTool, signals } = createAskingTool()
    const { served, input, send, waitFor } = await serveStreams(callTool)
    send(1, 'tools/call', { ...CALL, _meta: STATELESS })
    await waitFor('input_required')
    input.end()
    await served.closed
    await settle(1)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('the end of a service over HTTP', () => {
  const post = async (
    { url, token }: Awaited<ReturnType<typeof serve>>,
    method: string,
    params: JsonObject,
    headers: Record<string, string>,
  ): Promise<Response> =>
    await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...bearer({ token }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  const stateless = (method: string): Record<string, string> => ({
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(method === 'tools/call' && { 'mcp-name': 'tool' }),
  })

  test('comes after the results of its calls and streams were sent, and nobody is connected then', async () => {
    const { callTool, begun } = createLongTool()
    const served = await serve(callTool)
    const notifications = { toolsListChanged: true }
    const listening = await post(
      served,
      'subscriptions/listen',
      { notifications, _meta: STATELESS },
      stateless('subscriptions/listen'),
    )
    const calling = post(
      served,
      'tools/call',
      { ...CALL, _meta: STATELESS },
      stateless('tools/call'),
    )
    await begun
    let hasClosed = false
    void served.closed.then(() => (hasClosed = true))
    await served.close({ graceMs: 0 })
    expect(hasClosed).toBe(true)
    expect(await (await calling).text()).toContain('last words')
    expect(await listening.text()).toContain('"id":1,"result"')
    await expect(fetch(served.url)).rejects.toThrow('fetch failed')
  })

  test('does not wait for the answer of a client', async () => {
    const { callTool, signals } = createAskingTool()
    const served = await serve(callTool)
    expect(await postCall(served, { arguments: {} })).toMatchObject({
      result: { resultType: 'input_required' },
    })
    await served.close({ graceMs: 60_000 })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('answers a call of a session, and closes what was opened for the session', async () => {
    const { callTool, begun } = createLongTool()
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const served = await serve(callTool, {
      open: async () => ({
        name: 'ours',
        version: '1',
        root: '/w',
        definitions: () => [tool()],
        callTool,
        close: async () => resolve(),
      }),
    })
    const clientInfo = { name: 'x', version: '1' }
    const opened = await post(
      served,
      'initialize',
      { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      {},
    )
    await opened.text()
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    const calling = post(served, 'tools/call', CALL, session)
    await begun
    await served.close({ graceMs: 0 })
    expect(await (await calling).text()).toContain('last words')
    await closed
  })
})

test('a request that fails in this program ends without an answer, and the next one is answered', async () => {
  let fails = true
  const served = await serve(async () => createSuccessResult([]), {
    definitions: () => {
      if (fails) throw new TypeError('broken')
      return [tool()]
    },
  })
  await expect(postCall(served, { arguments: {} })).rejects.toThrow('fetch failed')
  fails = false
  expect(await postCall(served, { arguments: {} })).toMatchObject({ status: 200 })
})
