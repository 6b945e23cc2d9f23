import { expect, test } from 'vitest'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { readServer } from './read-server.ts'
import { workspace } from './workspace.suite.ts'
import { readWrittenServers } from './written-servers.ts'

test('what tables of tools say about calls goes to their server, whichever file names it', async () => {
  const folder = workspace({
    'toolblocks.toml': `[mcp.servers.own]
command = "x"
[tools.look]
source = "mcp.own.read"
timeout_secs = 1.5
[tools.research]
source = "mcp.beside.research"
stateful = true
`,
    '.mcp.json': '{"mcpServers":{"beside":{"command":"y"}}}',
  })
  const loaded = await loadConfiguration(folder, undefined)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const { servers } = readWrittenServers(loaded.configuration)
  const read = servers.map((server) => readServer(server, { root: folder, environment: {} }))
  expect(read).toMatchObject([
    { ok: true, config: { name: 'own', tools: { read: { timeoutMs: 1500 } } } },
    { ok: true, config: { name: 'beside', tools: { research: { stateful: true } } } },
  ])
})
