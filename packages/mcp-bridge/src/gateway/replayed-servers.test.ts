import { fileURLToPath } from 'node:url'
import {
  Client as LaterClient,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as LaterStdio } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RunningHttpService } from '../serve-http.ts'
import {
  listRecordings,
  readRecording,
  type ServerRecording,
} from '../testing/recordings.support.ts'
import { bearer } from '../testing/served.support.ts'
import { serveGateway } from '../testing/served-gateway.support.ts'

const PROGRAM = fileURLToPath(new URL('../testing/replayed-server.support.ts', import.meta.url))

/** The part of the clients of both SDKs that these tests use. Results are checked by the SDK, and returned as it reads them. */
interface AnyClient {
  listTools(params: object): Promise<object>
  listPrompts(params: object): Promise<object>
  listResources(params: object): Promise<object>
  listResourceTemplates(params: object): Promise<object>
  callTool(params: never): Promise<object>
  getPrompt(params: never): Promise<object>
  readResource(params: never): Promise<object>
  getServerCapabilities(): object | undefined
  getServerVersion(): object | undefined
  getInstructions(): string | undefined
  close(): Promise<void>
}

/** Serves a replayed server through a gateway, over HTTP. */
async function serveReplayed(name: string): Promise<RunningHttpService> {
  const config = {
    name,
    transport: { kind: 'stdio', command: process.execPath, args: [PROGRAM, name] },
    toolNames: 'own',
  } as const
  const { served, shared } = await serveGateway([config], { isNamed: true })
  expect(shared.flatMap(({ problems }) => problems)).toEqual([])
  return served
}

const ABOUT = { name: 'compare', version: '1' }
const STARTED = (name: string) => ({ command: process.execPath, args: [PROGRAM, name] })

const connectors = {
  '2025-11-25': {
    direct: async (name: string): Promise<AnyClient> => {
      const client = new Client(ABOUT)
      await client.connect(new StdioClientTransport(STARTED(name)))
      return client
    },
    served: async (served: RunningHttpService): Promise<AnyClient> => {
      const client = new Client(ABOUT)
      const requestInit = { headers: bearer(served) }
      await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit }))
      return client
    },
  },
  '2026-07-28': {
    direct: async (name: string): Promise<AnyClient> => {
      const client = new LaterClient(ABOUT)
      await client.connect(new LaterStdio(STARTED(name)))
      return client
    },
    served: async (served: RunningHttpService): Promise<AnyClient> => {
      const client = new LaterClient(ABOUT, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
      const requestInit = { headers: bearer(served) }
      await client.connect(new LaterTransport(new URL(served.url), { requestInit }))
      return client
    },
  },
} as const

async function ask(client: AnyClient, method: string, params: JsonObject): Promise<object> {
  switch (method) {
    case 'tools/list':
      return await client.listTools(params)
    case 'prompts/list':
      return await client.listPrompts(params)
    case 'resources/list':
      return await client.listResources(params)
    case 'resources/templates/list':
      return await client.listResourceTemplates(params)
    case 'tools/call':
      return await client.callTool(params as never)
    case 'prompts/get':
      return await client.getPrompt(params as never)
    case 'resources/read':
      return await client.readResource(params as never)
    default:
      throw new Error(`no request ${method}`)
  }
}

/** Removes what MCP 2026-07-28 requires in results, which the recorded servers do not have. */
function withoutEnvelope(result: object): object {
  const {
    resultType: _type,
    ttlMs: _ttl,
    cacheScope: _scope,
    _meta: meta,
    ...rest
  } = result as JsonObject
  const { 'io.modelcontextprotocol/serverInfo': _info, ...others } = isJsonObject(meta) ? meta : {}
  return { ...rest, ...(Object.keys(others).length > 0 && { _meta: others }) }
}

/** The SDK's client of MCP 2026-07-28 removes `execution` of tools, which this version does not have. */
function withoutExecution(result: object): object {
  if (!('tools' in result) || !Array.isArray(result.tools)) return result
  const tools = result.tools.map(({ execution: _execution, ...tool }: JsonObject) => tool)
  return { ...result, tools }
}

const names = listRecordings()

test('at least ten published servers are recorded, each with its package, version and licence', () => {
  expect(names.length).toBeGreaterThanOrEqual(10)
  for (const recording of names.map(readRecording))
    expect(recording).toMatchObject({
      package: expect.stringMatching(/./),
      version: expect.stringMatching(/^\d/),
      licence: expect.stringMatching(/./),
    })
})

describe.for(['2025-11-25', '2026-07-28'] as const)('a client of MCP %s', (version) => {
  test.for(names)(
    'receives from the published server %s the same through the gateway, field by field',
    async (name) => {
      const { direct: connectDirect, served: connectServed } = connectors[version]
      const { exchanges }: ServerRecording = readRecording(name)
      const direct = await connectDirect(name)
      onTestFinished(async () => await direct.close())
      const served = await connectServed(await serveReplayed(name))
      onTestFinished(async () => await served.close())
      expect(served.getServerVersion()).toEqual(direct.getServerVersion())
      expect(served.getInstructions()).toEqual(direct.getInstructions())
      for (const { method, params } of exchanges.slice(1)) {
        const answer = withoutEnvelope(await ask(direct, method, params))
        const expected = version === '2026-07-28' ? withoutExecution(answer) : answer
        const got = withoutEnvelope(await ask(served, method, params))
        expect(got, `${method} ${JSON.stringify(params)}`).toEqual(expected)
      }
    },
  )
})
