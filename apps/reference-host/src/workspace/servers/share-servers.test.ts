import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGateway, type Gateway } from '@toolblocks/mcp-bridge/gateway'
import { serveHttp } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import type { OpenServersOptions } from './open-servers.ts'
import { createSharedServers, type OpenedForClient } from './share-servers.ts'
import { NOTES, workspace } from './workspace.support.ts'
import type { WrittenServer } from './written-servers.ts'

const never = new AbortController().signal

/** Opens a server for one client after the other. */
function prepare(): {
  gateway: () => Gateway
  open: (server: WrittenServer, more?: Partial<OpenServersOptions>) => Promise<OpenedForClient>
} {
  const shared = createSharedServers(never)
  const gateway = (): Gateway => createGateway({ capabilities: {} })
  onTestFinished(shared.close)
  return {
    gateway,
    open: async (server, more = {}) => {
      const openedServer = await shared.open(
        server,
        { root: workspace({}), environment: {}, hooks: () => ({}), signal: never, ...more },
        gateway(),
      )
      onTestFinished(async () => {
        if (openedServer.opened.ok) await openedServer.opened.server.close()
      })
      return openedServer
    },
  }
}

const createWritten = (
  table: WrittenServer['table'],
  own: WrittenServer['own'] = {},
): WrittenServer => ({ name: 'notes', file: 'toolblocks.toml', table, own, tools: {}, waiting: [] })

const program: WrittenServer['table'] = { command: NOTES.command, args: [...NOTES.args] }

/** Serves one tool over HTTP, for clients of both versions. */
async function serveTool(): Promise<{ url: string; headers: { authorization: string } }> {
  const served = await serveHttp(
    {
      name: 'notes',
      version: '1',
      root: '/w',
      definitions: () => [{ name: 'read', inputSchema: { type: 'object' } }],
      callTool: async () => createSuccessResult([]),
    },
    { port: 0 },
  )
  onTestFinished(async () => await served.close({ graceMs: 0 }))
  return { url: served.url, headers: { authorization: `Bearer ${served.token}` } }
}

/** Returns whether two clients use one connection. */
async function isShared(server: WrittenServer): Promise<boolean> {
  const { open } = prepare()
  const [first, second] = [await open(server), await open(server)]
  if (!first.opened.ok || !second.opened.ok) throw new Error('the server was not opened')
  expect(second.leave !== undefined).toBe(first.leave !== undefined)
  return first.opened.server === second.opened.server
}

test.for([
  ['a program', program, {}, false],
  ['a program with share', program, { share: true }, true],
] as const)('clients share the connection to %s: %o', async ([, table, own, expected]) => {
  expect(await isShared(createWritten(table, own))).toBe(expected)
})

test.for([
  ['2025-11-25', {}, false],
  ['2025-11-25', { share: true }, true],
  ['2026-07-28', {}, true],
  ['2026-07-28', { share: false }, false],
  ['auto', {}, true],
] as const)(
  'clients share a connection over HTTP with the version %s and %o: %s',
  async ([version, own, expected]) => {
    const table = { ...(await serveTool()), protocol_version: version }
    expect(await isShared(createWritten(table, own))).toBe(expected)
  },
)

test('a shared connection outlives the client that opened it', async () => {
  const { open } = prepare()
  const server = createWritten(program, { share: true })
  const ending = new AbortController()
  const first = await open(server, { signal: ending.signal })
  const second = await open(server)
  ending.abort()
  first.leave?.()
  if (!second.opened.ok) throw new Error('the server was not opened')
  expect(second.opened.server.state).toEqual({ kind: 'connected' })
})

test('a shared server that could not be opened is tried again for the next client, and then shared', async () => {
  const { open } = prepare()
  const root = workspace({})
  const args = [join(root, 'late.mjs')]
  const server = createWritten({ ...program, args }, { share: true })
  expect((await open(server)).opened).toMatchObject({ ok: false, reason: 'failed' })
  writeFileSync(join(root, 'late.mjs'), `await import(${JSON.stringify(NOTES.args[0])})`)
  const [second, third] = [await open(server), await open(server)]
  expect(second.opened).toMatchObject({ ok: true })
  expect(third.opened).toBe(second.opened)
})
