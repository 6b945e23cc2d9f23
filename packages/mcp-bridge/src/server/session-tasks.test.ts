import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject, ToolDefinition } from '@toolblocks/protocol'
import { expect, test, vi } from 'vitest'
import { serveStdio } from '../serve-stdio.ts'
import type { ToolService } from './tool-service.ts'
import { text, tool } from '../testing/served.support.ts'

const LONG: ToolDefinition = Object.assign(tool(), { execution: { taskSupport: 'optional' } })
const SERVICE: Omit<ToolService, 'callTool'> = {
  name: 'ours',
  version: '1',
  root: '/',
  definitions: () => [LONG],
}

/** Serves a tool to a client that writes and reads messages by hand. */
async function open(callTool: ToolService['callTool']): Promise<{
  send: (message: JsonObject) => void
  heard: JsonObject[]
  end: () => void
}> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  await serveStdio({ ...SERVICE, callTool }, { input, output })
  const heard: JsonObject[] = []
  output.on('data', (chunk) => {
    for (const line of String(chunk).split('\n')) if (line !== '') heard.push(JSON.parse(line))
  })
  return {
    send: (message) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    heard,
    end: () => void input.end(),
  }
}

const initialize = (id: number, protocolVersion = '2025-11-25'): JsonObject => ({
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: { elicitation: {} }, clientInfo: {} },
})

/** Starts a task, and returns its id. */
async function begin({ send, heard }: Awaited<ReturnType<typeof open>>): Promise<string> {
  send(initialize(1))
  send({ id: 2, method: 'tools/call', params: { name: 'tool', arguments: {}, task: {} } })
  const [created] = await vi.waitUntil(() => {
    const answers = heard.filter(({ id }) => id === 2)
    return answers.length > 0 && answers
  })
  return /"taskId":"(?<id>[^"]+)"/.exec(JSON.stringify(created))?.groups?.['id'] ?? ''
}

test('a question whose request for the result ended is asked again with the next one', async () => {
  const client = await open(async (call, { ask, signal }) => {
    const answer = await ask?.user?.(
      { id: 'who', text: 'Who?', schema: { type: 'string' } },
      { blocks: [], source: { kind: 'question', call }, signal },
    )
    return text(JSON.stringify(answer))
  })
  const { send, heard, end } = client
  const taskId = await begin(client)
  const asked = (): readonly JsonObject[] =>
    heard.filter(({ method }) => method === 'elicitation/create')
  send({ id: 3, method: 'tasks/result', params: { taskId } })
  await vi.waitFor(() => expect(asked()).toHaveLength(1))
  send({ method: 'notifications/cancelled', params: { requestId: 3 } })
  await pause(50)
  expect(asked()).toHaveLength(1)
  send({ id: 4, method: 'tasks/result', params: { taskId } })
  await vi.waitFor(() => expect(asked()).toHaveLength(2))
  send({ id: asked()[1]?.['id'] ?? '', result: { action: 'accept', content: { value: 'Ann' } } })
  await vi.waitFor(() => expect(JSON.stringify(heard.at(-1))).toContain('Ann'))
  expect(heard.at(-1)).toMatchObject({ id: 4 })
  end()
})

test('a client that initializes again has a new session: its earlier tasks have ended', async () => {
  const signals: AbortSignal[] = []
  const client = await open(async (_call, { signal }) => {
    signals.push(signal)
    await pause(60_000, undefined, { signal }).catch(() => undefined)
    return text('late')
  })
  const { send, heard, end } = client
  const taskId = await begin(client)
  send(initialize(3, '2025-06-18'))
  send({ id: 4, method: 'tasks/get', params: { taskId } })
  await vi.waitFor(() => expect(heard.find(({ id }) => id === 4)).toHaveProperty('error'))
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  end()
})
