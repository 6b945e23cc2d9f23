import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOTES, NOTES_TABLE, workspace } from '../../workspace/servers/workspace.support.ts'
import { startToolblocks, toolblocks, withoutTrust } from '../toolblocks.support.ts'

test('every server is listed, with what it offers, its problems and what to do', async () => {
  const folder = workspace({
    'toolblocks.toml': `${NOTES_TABLE}[mcp.servers.gone]\ncommand = "not-there-at-all"\n`,
  })
  const { stdout, code } = await toolblocks(folder, 'mcp', 'list', '--trust')
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^notes {2}connected · MCP \S+ · notes 1\.0\.0\n {2}tools: read, sign, list, folder/,
  )
  expect(stdout).toMatch(/gone {2}failed\n {2}problem: .*\n {2}fix: /)
  const json = await toolblocks(folder, 'mcp', 'list', '--trust', '--output', 'json')
  const listed: unknown = JSON.parse(json.stdout)
  expect(listed).toMatchObject([
    { name: 'notes', state: 'connected', tools: ['read', 'sign', 'list', 'folder'], problems: [] },
    { name: 'gone', state: 'failed', tools: [] },
  ])
  const waiting = await withoutTrust(folder, 'mcp', 'list')
  expect(waiting.code).toBe(3)
  expect(waiting.stdout).toMatch(
    /notes {2}waiting\n {2}problem: .*\n {2}fix: run "toolblocks trust"/,
  )
})

test('a server is added by its command line, options and all, and the file keeps its comments', async () => {
  const folder = workspace({ 'toolblocks.toml': '# mine\n' })
  const added = await toolblocks(folder, 'mcp', 'add', 'memory', 'npx', '-y', 'a "b"', '--help')
  expect([added.code, added.stderr]).toEqual([0, ''])
  const far = await toolblocks(folder, 'mcp', 'add', '--url', 'https://example.com/mcp', 'far off')
  expect([far.code, far.stderr]).toEqual([0, ''])
  expect(readFileSync(join(folder, 'toolblocks.toml'), 'utf8')).toBe(
    `# mine

[mcp.servers.memory]
command = "npx"
args = ["-y", "a \\"b\\"", "--help"]

[mcp.servers."far off"]
url = "https://example.com/mcp"
`,
  )
  const again = await toolblocks(folder, 'mcp', 'add', 'memory', 'npx')
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('has a server "memory" already; nothing was written')
})

test('adding a server agrees to it, and to nothing else of the folder', async () => {
  const folder = workspace({
    'toolblocks.toml': '[mcp.servers.other]\ncommand = "not-agreed-to"\n',
    '.mcp.json': '{"mcpServers":{"beside":{"command":"not-agreed-to"}}}',
  })
  await withoutTrust(folder, 'mcp', 'add', 'notes', NOTES.command, ...NOTES.args)
  const { stdout } = await withoutTrust(folder, 'mcp', 'list')
  expect(stdout).toMatch(/notes {2}connected[^]*other {2}waiting[^]*beside {2}waiting/)
})

test('a server is inspected only with agreement', async () => {
  const folder = workspace({ 'toolblocks.toml': NOTES_TABLE })
  const { code, stderr } = await withoutTrust(folder, 'mcp', 'inspect', 'notes')
  expect(code).toBe(3)
  expect(stderr).toContain('the server "notes" was not started or connected')
})

test('without a configuration the first server creates one, and an invalid server is refused', async () => {
  const folder = workspace({})
  expect((await toolblocks(folder, 'mcp', 'add', 'notes')).code).toBe(2)
  expect((await toolblocks(folder, 'mcp', 'add', '--url', 'example.com', 'notes')).code).toBe(2)
  await toolblocks(folder, 'mcp', 'add', 'notes', NOTES.command, ...NOTES.args)
  const { stdout } = await toolblocks(folder, 'call', 'notes__folder')
  expect(stdout).toContain(folder)
  writeFileSync(join(folder, 'toolblocks.toml'), 'mcp = { servers = {} }\n')
  const full = await toolblocks(folder, 'mcp', 'add', 'notes', 'npx')
  expect(full.stderr).toContain('cannot hold more tables')
})

test('the messages of a server are shown unchanged, beside what was read from them', async () => {
  const folder = workspace({ 'toolblocks.toml': NOTES_TABLE })
  const hello = await toolblocks(folder, 'mcp', 'inspect', 'notes')
  expect(hello.stdout).toMatch(/^sent:\n\{[^]*"method": "initialize"[^]*received:[^]*read as:/)
  const args = ['mcp', 'inspect', 'notes', 'read', '--arguments', '{"path":"a.md"}']
  const called = await toolblocks(folder, ...args, '--output', 'json')
  const { messages, made } = JSON.parse(called.stdout)
  expect(messages).toMatchObject([
    { direction: 'sent', message: { method: 'tools/call', params: { name: 'read' } } },
    { direction: 'received', message: { result: { content: [{ type: 'resource' }] } } },
  ])
  expect(made).toMatchObject({ isError: false, metadata: { outcome: 'completed' } })
  const unknown = await toolblocks(folder, 'mcp', 'inspect', 'nots')
  expect(unknown.stderr).toContain('did you mean "notes"?')
})

test('a server over HTTP is used like a local one', async () => {
  const served = workspace({ 'toolblocks.toml': `${NOTES_TABLE}run = "unattended"\n` })
  const running = startToolblocks(served, ['serve', '--http', '0', '--trust'])
  const [, url = ''] = await running.said(/at (http:\S+)/)
  const [, token = ''] = await running.said(/Bearer (\S+)/)
  const folder = workspace({
    'toolblocks.toml': `[mcp.servers.far]\nurl = ${JSON.stringify(url)}\nheaders = { Authorization = "Bearer ${token}" }\n`,
  })
  const { stdout, code } = await toolblocks(folder, 'call', 'far__notes__read', '--arg', 'path=a')
  expect(code).toBe(0)
  expect(stdout).toContain('All of it.')
  expect(await running.end('SIGTERM')).toBe(0)
})
