import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import type { McpServer } from './mcp-server.ts'
import type { ServerConfig } from './server-config.ts'
import { type OddEndpoint, startEndpoint } from '../testing/odd-endpoint.support.ts'
import { call, connect, connectOdd, firstText } from '../testing/servers.support.ts'

const namesOf = (server: McpServer): readonly string[] => server.tools().map(({ name }) => name)

/** Answers the next requests for the list of tools otherwise, and later ones as usual. */
function answerLists(
  endpoint: OddEndpoint,
  ...answers: readonly ((response: ServerResponse) => void)[]
): void {
  const left = [...answers]
  endpoint.onMethod = (method, response) => {
    const answer = method === 'tools/list' ? left.shift() : undefined
    answer?.(response)
    return answer !== undefined
  }
}

const breakOff = (response: ServerResponse): void => void response.destroy()
const refuse = (response: ServerResponse): void => void response.writeHead(503).end('starting')

const getServerConfig = ({ url }: OddEndpoint): ServerConfig => ({
  name: 'web',
  transport: { kind: 'http', url },
})

test.for([
  ['breaks off', breakOff],
  ['is refused for now', refuse],
] as const)(
  'a server whose first list of tools %s is not connected, and can be connected again',
  async ([, answer]) => {
    const endpoint = await startEndpoint({})
    answerLists(endpoint, answer)
    await expect(connect(getServerConfig(endpoint))).rejects.toMatchObject({
      name: 'McpServerError',
      code: 'unreachable',
    })
    expect(namesOf(await connect(getServerConfig(endpoint)))).toEqual(['web__echo'])
  },
)

test('a program that ends while it lists its tools is not connected, and what it said is quoted', async () => {
  await expect(connectOdd({ args: ['end-at-list'] })).rejects.toMatchObject({
    code: 'not-started',
    serverText: expect.stringContaining('no list today'),
  })
})

test('a list that is not answered in time is a timeout, and the server is not connected', async () => {
  const endpoint = await startEndpoint({})
  answerLists(endpoint, () => undefined)
  await expect(
    connect({ ...getServerConfig(endpoint), connectTimeoutMs: 500 }),
  ).rejects.toMatchObject({
    code: 'timeout',
  })
})

test('a changed list that is lost leaves the tools of before, and is read again', async () => {
  const tools = {}
  const endpoint = await startEndpoint(tools)
  const changes: (readonly string[])[] = []
  const server = await connect(getServerConfig(endpoint), {
    onToolsChanged: (changed) => void changes.push(namesOf(changed)),
  })
  answerLists(endpoint, breakOff, refuse)
  Object.assign(tools, { later: () => undefined })
  // The list of the new connection is read.
  endpoint.forget()
  expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
  await vi.waitFor(() => expect(namesOf(server)).toEqual(['web__echo', 'web__later']), {
    timeout: 10_000,
    interval: 50,
  })
  expect(changes).toEqual([['web__echo', 'web__later']])
})

test('a connection that is ended until its next use, while its list is read again, keeps the tools of before', async () => {
  const endpoint = await startEndpoint({})
  const changes: (readonly string[])[] = []
  const server = await connect(getServerConfig(endpoint), {
    onToolsChanged: (changed) => void changes.push(namesOf(changed)),
  })
  const asked = Promise.withResolvers<void>()
  answerLists(endpoint, () => asked.resolve())
  // The list of the new connection is read.
  endpoint.forget()
  await call(server, 'echo', { a: 1 })
  await asked.promise
  await server.rest()
  expect(firstText(await call(server, 'echo', { a: 2 }))).toBe('{"a":2}')
  await vi.waitFor(() => expect(changes).not.toEqual([]), { timeout: 10_000, interval: 50 })
  expect(changes.every((names) => names.length === 1)).toBe(true)
})
