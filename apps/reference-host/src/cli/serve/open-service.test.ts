import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCommand } from '@toolblocks/local-executor/internal'
import { expect, test } from 'vitest'
import type { CommandContext } from '../../terminal/command-context.ts'
import { NOTES } from '../../workspace/servers/workspace.support.ts'
import { createContext } from './command-context.support.ts'
import { openConfigured, type OpenedService, openNamedServers } from './open-service.ts'

const COMMAND = formatCommand([NOTES.command, ...NOTES.args])
const OPENING = { client: { capabilities: {} }, onChange: () => undefined }

/** Whether the server that wrote the file is a process. */
function runs(pidFile: string): boolean {
  try {
    return process.kill(Number(readFileSync(pidFile, 'utf8')), 0)
  } catch {
    return false
  }
}

const WAYS: readonly [string, (context: CommandContext, env: string) => Promise<OpenedService>][] =
  [
    [
      'of the command line',
      async (context, env) =>
        await openNamedServers(context, { server: [`notes=${COMMAND}`], env: [env] }, OPENING),
    ],
    ['of the folder', async (context) => await openConfigured(context, { trust: true }, OPENING)],
  ]

test.for(WAYS)(
  'the servers and the record %s end with the service that has opened them',
  async ([, open]) => {
    const { context, folder } = createContext()
    const pidFile = join(folder, 'pid')
    const table = `[mcp.servers.notes]
command = ${JSON.stringify(NOTES.command)}
args = ${JSON.stringify(NOTES.args)}
env = { PID_FILE = ${JSON.stringify(pidFile)} }
[store]
url = "sqlite:own.db"
`
    writeFileSync(join(folder, 'toolblocks.toml'), table)
    const opened = await open(context, `PID_FILE=${pidFile}`)
    if (!opened.ok) throw new Error(`ended with ${opened.code}`)
    const names = opened.entries.map(({ tool }) => tool.name)
    expect(names).toContainEqual(expect.stringMatching(/read$/))
    const { store } = opened
    const record = opened.beginRecord('c')
    await record.record({ type: 'turn_start', turn: 1 })
    await record.close()
    expect((await store?.read('c'))?.events).toMatchObject([{ event: { type: 'turn_start' } }])
    expect(runs(pidFile)).toBe(true)
    await opened.close()
    expect(runs(pidFile)).toBe(false)
    await expect(store?.read('c')).rejects.toThrow('is closed')
  },
)
