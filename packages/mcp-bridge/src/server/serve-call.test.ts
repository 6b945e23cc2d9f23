import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  createFailure,
  type ToolCall,
  type ToolResult,
  withErrorDetails,
} from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { META, postCall, VERSION } from '../testing/post-call.support.ts'
import { bearer, serve, text, tool } from '../testing/served.support.ts'
import type { ToolService } from './tool-service.ts'

/** Connects a client of others, which refuses structured content that the definition does not promise. */
async function connectOther(
  result: ToolResult,
  version: '2025-11-25' | '2026-07-28',
  service: Partial<ToolService> = {},
): Promise<Client> {
  const served = await serve(async () => result, service)
  const client = new Client(
    { name: 'other', version: '1' },
    version === VERSION ? { versionNegotiation: { mode: { pin: VERSION } } } : {},
  )
  onTestFinished(async () => await client.close())
  await client.connect(
    new StreamableHTTPClientTransport(new URL(served.url), {
      requestInit: { headers: bearer(served) },
    }),
  )
  await client.listTools()
  return client
}

describe.each(['2025-11-25', '2026-07-28'] as const)('a client of MCP %s', (version) => {
  test('receives the data of a semantic value if the outputSchema describes the data', async () => {
    const outputSchema = {
      type: 'object',
      properties: { commits: { type: 'number' } },
      required: ['commits'],
    } as const
    const client = await connectOther(
      { isError: false, content: [], structuredContent: { kind: 'git.log', data: { commits: 2 } } },
      version,
      { definitions: () => [tool({ outputSchema })] },
    )
    expect(await client.callTool({ name: 'tool' })).toMatchObject({
      structuredContent: { commits: 2 },
    })
  })

  test('is answered the same about a tool that it is not offered, whatever the service does with the call', async () => {
    const calls: ToolCall[] = []
    const client = await connectOther(createFailure('not called'), version, {
      onUnknownTool: async (call) => {
        calls.push(call)
        if (calls.length === 2) throw new Error('not recorded')
      },
    })
    const call = async (): Promise<unknown> =>
      await client.callTool({ name: 'other', arguments: { a: 1 } }).catch(String)
    const first = await call()
    expect(first).toContain('Unknown tool: other')
    expect(await call()).toBe(first)
    expect(calls).toMatchObject([
      { name: 'other', arguments: { a: 1 } },
      { name: 'other', arguments: { a: 1 } },
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  })

  test('receives the causes of an error as text, unless the service leaves them out', async () => {
    const failed = withErrorDetails(createFailure('not saved'), {
      transient: false,
      trace: ['the folder is locked'],
    })
    const client = await connectOther(failed, version)
    expect((await client.callTool({ name: 'tool' })).content).toMatchObject([
      { text: 'not saved' },
      { text: expect.stringContaining('the folder is locked') as string },
    ])
    const short = await connectOther(failed, version, { errorTrace: false })
    expect((await short.callTool({ name: 'tool' })).content).toMatchObject([{ text: 'not saved' }])
  })
})

test('a list that clients of MCP up to 2025-11-25 cannot check is not served as structured content of theirs', async () => {
  const result = { isError: false, content: [], structuredContent: { kind: 'ids', data: [1] } }
  const service = { definitions: () => [tool({ outputSchema: { type: 'array' } })] }
  const old = await connectOther(result, '2025-11-25', service)
  expect((await old.callTool({ name: 'tool' })).structuredContent).toEqual({
    kind: 'ids',
    data: [1],
  })
  const recent = await connectOther(result, VERSION, service)
  expect((await recent.callTool({ name: 'tool' })).structuredContent).toEqual([1])
})

test('a request of MCP 2026-07-28 runs after the level of its log messages is set, and is answered after what was opened for it has closed, whatever both say', async () => {
  const steps: string[] = []
  const step = async (name: string): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    steps.push(name)
  }
  const unopened = {
    name: 'ours',
    version: '1',
    root: '/',
    definitions: () => [tool()],
    callTool: async () => text('done'),
    features: {
      capabilities: () => ({ logging: {}, prompts: {} }),
      watch: () => () => undefined,
      answer: async ({ method }: { method: string }) => {
        // Whoever does not wait for the level sends the request first.
        if (method === 'logging/setLevel') await step('level')
        await step(method)
        if (method === 'logging/setLevel') throw new Error('no such level')
        return { prompts: [{ name: 'review' }] }
      },
    },
  }
  const served = await serve(async () => text('done'), {
    ...unopened,
    open: async () => ({
      ...unopened,
      close: async () => {
        await step('closed')
        throw new Error('the server is gone')
      },
    }),
  })
  const headers = { 'mcp-method': 'prompts/list' }
  const listed = { method: 'prompts/list', headers, logLevel: 'loud' }
  expect(await postCall(served, {}, listed)).toMatchObject({
    status: 200,
    result: { prompts: [{ name: 'review' }] },
  })
  expect(steps).toEqual(['level', 'logging/setLevel', 'prompts/list', 'closed'])
  expect(await postCall(served, {}, { logLevel: 'loud' })).toMatchObject({
    status: 200,
    result: { content: [{ text: 'done' }], _meta: { [`${META}/serverInfo`]: { name: 'ours' } } },
  })
})
