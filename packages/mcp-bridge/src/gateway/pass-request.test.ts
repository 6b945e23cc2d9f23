import type { JsonObject } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { ServedClient } from '../serve/served-features.ts'
import { type FeatureSource, passRequest } from './pass-request.ts'

test('what a server of MCP 2026-07-28 asks is answered by the session of the client, and the server gets its state back', async () => {
  const received: JsonObject[] = []
  const asked: string[] = []
  const server: FeatureSource = {
    name: 's',
    capabilities: {},
    hasLinked: () => false,
    request: async (_method, params) => {
      received.push(params)
      const result =
        received.length === 1
          ? {
              resultType: 'input_required',
              inputRequests: { folders: { method: 'roots/list', params: {} } },
              requestState: 'sealed',
            }
          : { resultType: 'complete', messages: [] }
      return { kind: 'result', result }
    },
  }
  const client: ServedClient = {
    id: 'c',
    protocolVersion: '2025-11-25',
    capabilities: {},
    identity: '',
    request: async (method) => {
      asked.push(method)
      return { kind: 'result', result: { roots: [{ uri: 'file:///w' }] } }
    },
    notify: () => undefined,
  }
  const { signal } = new AbortController()
  const request = { method: 'prompts/get', params: { name: 'p' }, signal }
  expect(await passRequest(server, request, client)).toEqual({ messages: [] })
  expect(asked).toEqual(['roots/list'])
  expect(received).toEqual([
    { name: 'p' },
    {
      name: 'p',
      inputResponses: { folders: { roots: [{ uri: 'file:///w' }] } },
      requestState: 'sealed',
    },
  ])
})
