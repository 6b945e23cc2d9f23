// Checks that hosts that share conversations play no turn twice and lose none, while they are killed, stopped and cut off. PostgreSQL is used if it is installed, else SQLite.
// node tools/soak-hosts.mjs [hosts] [turns of each host] [kills] [milliseconds between two disturbances]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runHosts } from '../packages/agent/src/killed-hosts/run-hosts.support.ts'
import { connectWithPg } from '../packages/conversation-store/src/rows/postgres/postgres-client.ts'
import {
  findPostgres,
  startPostgres,
} from '../packages/conversation-store/src/rows/postgres/postgres-server.support.ts'

const [hosts = 8, turns = 1000, kills = 400, everyMs = 500] = process.argv.slice(2).map(Number)
/** Conversations that all hosts share. */
const CONVERSATIONS = 64

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-hosts-'))
const bin = findPostgres()
const server = bin === undefined ? undefined : await startPostgres(bin)
const url = server?.url('postgres') ?? `sqlite:${join(folder, 'c.db')}`
const client = server && (await connectWithPg(url))

const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`

const begin = performance.now()
try {
  const counts = await runHosts(url, {
    hosts,
    turns,
    conversations: CONVERSATIONS,
    kills,
    everyMs,
    folder,
    ...(client && { cut: async () => await client.query(CUT) }),
  })
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  console.log(`${server ? 'PostgreSQL' : 'SQLite'} (${seconds} s): ${JSON.stringify(counts)}`)
  const { twice, lost, repeated, wrong, left } = counts
  if (twice + lost + repeated + wrong + left > 0) process.exitCode = 1
} finally {
  await client?.close()
  server?.stop()
  rmSync(folder, { recursive: true })
}
