import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { StatelessService } from './serve-stateless.ts'
import { answerStatelessRequest } from './stateless-http.ts'

const META = 'io.modelcontextprotocol'
const VERSION = '2026-07-28'
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'tool',
    arguments: {},
    _meta: { [`${META}/protocolVersion`]: VERSION, [`${META}/clientCapabilities`]: {} },
  },
}

test('the request of a client that has gone before it was checked is not executed', async () => {
  const executed: string[] = []
  const stateless: StatelessService = {
    answer: async ({ method }) => {
      executed.push(method)
      return {}
    },
    hasTask: () => false,
    dropWaiting: () => undefined,
    drop: () => undefined,
    close: async () => undefined,
  }
  const { promise: answered, resolve, reject } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    arrive()
    response.once('close', () => {
      const service = {
        name: 'ours',
        version: '1',
        root: '/',
        definitions: () => [],
        callTool: async () => await Promise.reject(new Error('not called')),
      }
      const exchange = { request, response, body: CALL, identity: '', isPassed: false }
      answerStatelessRequest({ service, stateless }, exchange).then(resolve, reject)
    })
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const gone = new AbortController()
  const sent = fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': 'tool',
    },
    body: JSON.stringify(CALL),
    signal: gone.signal,
  })
  await arrived
  gone.abort()
  await expect(sent).rejects.toThrow('abort')
  await answered
  expect(executed).toEqual([])
})
