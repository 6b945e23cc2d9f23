import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { isToolResult, type ToolResult } from '@toolblocks/protocol'
import { META_WARNINGS } from '@toolblocks/protocol/internal'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { McpServer } from './client/mcp-server.ts'
import {
  fromCallToolResult,
  toCallToolResult,
  toStrictResult,
} from './client/from-call-tool-result.ts'
import { serveHttp } from './serve-http.ts'
import { fidelityCorpus } from './testing/fidelity-corpus.support.ts'
import { getServerConfig } from './testing/served.support.ts'
import { call, connect, connectOdd } from './testing/servers.support.ts'

const corpus = fidelityCorpus()

/** An absent `isError` is `false`. */
function normal(result: unknown): unknown {
  const { isError = false, ...rest } = result as Record<string, unknown>
  return { isError, ...rest }
}

/** The type `complete` is the default; MCP 2026-07-28 writes it into every result. */
function untyped(result: ToolResult): unknown {
  const { resultType, ...rest } = toCallToolResult(result)
  return resultType === undefined || resultType === 'complete' ? rest : { resultType, ...rest }
}

function read(result: unknown): ToolResult {
  const parsed = fromCallToolResult(result)
  if (parsed.kind !== 'complete') throw new Error(`read as ${parsed.kind}`)
  return parsed.result
}

/** The server side passes on the warnings of a result. */
function handedOn(result: ToolResult): ToolResult {
  const { warnings } = result.metadata ?? {}
  return warnings ? { ...result, _meta: { ...result._meta, [META_WARNINGS]: warnings } } : result
}

test('the corpus has at least 300 results, each with its own name', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(300)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
})

describe('read and written again', () => {
  test.for(corpus.filter(({ isWellFormed }) => isWellFormed))(
    '$name is unchanged',
    ({ result }) => {
      const came = read(result)
      expect(isToolResult(came)).toBe(true)
      expect(came.metadata).toBeUndefined()
      expect(normal(toCallToolResult(came))).toEqual(normal(result))
    },
  )

  test.for(corpus.filter(({ isWellFormed }) => !isWellFormed))(
    '$name stays as it was repaired',
    ({ result }) => {
      const first = toCallToolResult(read(result))
      expect(toCallToolResult(read(first))).toEqual(first)
    },
  )
})

describe('in MCP’s form', () => {
  test.for(corpus)('$name has no field that MCP’s SDK would drop or refuse', ({ result }) => {
    const strict = toStrictResult(toCallToolResult(read(result)), '2025-11-25')
    expect(CallToolResultSchema.parse(strict)).toEqual(strict)
  })
})

describe.for(['2025-11-25', '2026-07-28'] as const)(
  'from a server, stored, served, to a client of MCP %s',
  (protocolVersion) => {
    async function chain(): Promise<{ first: McpServer; last: McpServer; results: unknown[] }> {
      const results: unknown[] = []
      const first = await connectOdd()
      const served = await serveHttp(
        {
          name: 'middle',
          version: '1',
          root: '/',
          definitions: () => [{ name: 'answer', inputSchema: { type: 'object' } }],
          callTool: async ({ arguments: { index } }) => {
            const result = await call(first, 'answer', { result: results[Number(index)] })
            // A store keeps the JSON of a result.
            return JSON.parse(JSON.stringify(result)) as ToolResult
          },
        },
        { port: 0 },
      )
      onTestFinished(async () => await served.close({ graceMs: 0 }))
      return {
        first,
        results,
        last: await connect({ ...getServerConfig(served), name: 'last', protocolVersion }),
      }
    }

    test('every result equals its first reading', async () => {
      const { last, results } = await chain()
      for (const { name, result } of corpus) {
        const index = results.push(result) - 1
        const came = await call(last, 'answer', { index })
        expect([name, untyped(came)]).toEqual([name, untyped(handedOn(read(result)))])
      }
    }, 60_000)
  },
)
