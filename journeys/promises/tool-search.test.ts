import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'

const BRIDGE = join(import.meta.dirname, '../../packages/mcp-bridge')
/** Answers like a published server, from its recording. */
const REPLAY = join(BRIDGE, 'src/testing/replayed-server.support.ts')
const SERVERS = readdirSync(join(BRIDGE, 'recordings'))
  .filter((file) => file.endsWith('.json.gz'))
  .map((file) => basename(file, '.json.gz'))

const ARGS = SERVERS.flatMap((name) => [
  '--server',
  `${name}=${process.execPath} ${REPLAY} ${name}`,
])

/** Returns the characters of what a model reads. */
const count = (value: unknown): number => JSON.stringify(value).length

test('promise tool search: with the tools of sixteen published servers, the tools that find them and a search are at least 90 % shorter than all definitions', async () => {
  const all = await connectClient(makeFolder({}), ['serve', ...ARGS, '--defer-above', '1000'])
  const { tools } = await all.listTools()
  expect(tools.length).toBeGreaterThan(200)
  await all.close()
  const client = await connectClient(makeFolder({}), ['serve', ...ARGS])
  const listed = await client.listTools()
  expect(listed.tools.map(({ name }) => name)).toEqual([
    'read_tool_result',
    'search_tools',
    'call_tool',
  ])
  const searched = await client.callTool({
    name: 'search_tools',
    arguments: { query: 'take a screenshot of a page' },
  })
  expect(JSON.stringify(searched.content)).toContain('take_screenshot')
  const saved = 1 - (count(listed.tools) + count(searched.content)) / count(tools)
  expect(saved).toBeGreaterThan(0.9)
  const called = await client.callTool({
    name: 'call_tool',
    arguments: { name: 'filesystem__list_directory', arguments: { path: '/data' } },
  })
  expect(JSON.stringify(called.content)).toContain('a.txt')
}, 120_000)
