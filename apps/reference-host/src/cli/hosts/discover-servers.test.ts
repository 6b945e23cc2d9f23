import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { discoverServers } from './discover-servers.ts'

function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-discover-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const ENTRY = { command: 'npx', args: ['-y', 'notes'] }
const one = (key: string, name: string, entry: object = ENTRY): string =>
  JSON.stringify({ [key]: { [name]: entry } })

function discover(home: string, folder: string, platform: NodeJS.Platform = 'linux') {
  return discoverServers({ home, platform, environment: {} }, folder)
}

test('the servers of every host are found, of the user and of the project', () => {
  const home = makeFolder({
    '.claude.json': JSON.stringify({
      mcpServers: { a: { command: 'a' } },
      projects: { '/other': { mcpServers: { b: { command: './b' } } }, '/none': {} },
    }),
    '.config/Claude/claude_desktop_config.json': one('mcpServers', 'c', { command: 'c' }),
    '.codex/config.toml': '[mcp_servers.d]\ncommand = "d"\nenv = { X = "1" }\n',
    '.copilot/mcp-config.json': one('mcpServers', 'j', {
      type: 'local',
      command: 'j',
      tools: ['*'],
    }),
    '.gemini/settings.json': one('mcpServers', 'e', { httpUrl: 'https://e/mcp' }),
    '.config/Code/User/mcp.json': '{\n// mine\n"servers": {"f": {"command": "f"},},}',
    '.cursor/mcp.json': one('mcpServers', 'g', { command: 'g' }),
    '.config/zed/settings.json': '{"context_servers": {"h": {"command": "h"}}, /* x */ }',
    '.codeium/windsurf/mcp_config.json': one('mcpServers', 'i', { serverUrl: 'https://i/mcp' }),
  })
  const folder = makeFolder({
    '.mcp.json': one('mcpServers', 'pa', { command: 'pa' }),
    '.codex/config.toml': '[mcp_servers.pb]\ncommand = "pb"\n',
    '.github/mcp.json': one('mcpServers', 'pg', { type: 'stdio', command: 'pg' }),
    '.gemini/settings.json': one('mcpServers', 'pc', { command: 'pc' }),
    '.vscode/mcp.json': one('servers', 'pd', { command: 'pd' }),
    '.cursor/mcp.json': one('mcpServers', 'pe', { command: '${workspaceFolder}/pe' }),
    '.zed/settings.json': one('context_servers', 'pf', { command: 'pf' }),
  })
  const { servers, warnings } = discover(home, folder)
  expect(warnings).toEqual([])
  const rows = servers.map(({ name, table, places: [location] }) => [
    location?.host,
    name,
    table.command ?? table.url,
    location?.project,
  ])
  expect(rows).toEqual([
    ['claude', 'pa', 'pa', folder],
    ['codex', 'pb', 'pb', folder],
    ['copilot', 'pg', 'pg', folder],
    ['gemini', 'pc', 'pc', folder],
    ['vscode', 'pd', 'pd', folder],
    ['cursor', 'pe', `${folder}/pe`, folder],
    ['zed', 'pf', 'pf', folder],
    ['claude', 'a', 'a', undefined],
    ['claude', 'b', './b', '/other'],
    ['claude-desktop', 'c', 'c', undefined],
    ['codex', 'd', 'd', undefined],
    ['copilot', 'j', 'j', undefined],
    ['gemini', 'e', 'https://e/mcp', undefined],
    ['vscode', 'f', 'f', undefined],
    ['cursor', 'g', 'g', undefined],
    ['zed', 'h', 'h', undefined],
    ['windsurf', 'i', 'https://i/mcp', undefined],
  ])
  expect(servers.find(({ name }) => name === 'b')?.table.cwd).toBe('/other')
})

test('the same server of several hosts is listed once, with all of its places', () => {
  const home = makeFolder({
    '.cursor/mcp.json': JSON.stringify({
      mcpServers: {
        notes: ENTRY,
        far: { url: 'https://EXAMPLE.com/mcp/', headers: { authorization: '${env:T}' } },
        other: { ...ENTRY, env: { X: '1' } },
      },
    }),
    '.gemini/settings.json': JSON.stringify({
      mcpServers: {
        mine: { ...ENTRY, disabled: true },
        far: { httpUrl: 'https://example.com/mcp', headers: { Authorization: '${T}' } },
      },
    }),
  })
  const { servers } = discover(home, makeFolder({}))
  expect(
    servers.map(({ name, places }) => [
      name,
      places.map((location) => [location.host, location.name, location.isDisabled]),
    ]),
  ).toEqual([
    [
      'mine',
      [
        ['gemini', 'mine', true],
        ['cursor', 'notes', false],
      ],
    ],
    [
      'far',
      [
        ['gemini', 'far', false],
        ['cursor', 'far', false],
      ],
    ],
    ['other', [['cursor', 'other', false]]],
  ])
})

test('files that cannot be read and invalid entries are one warning each, and the others are read', () => {
  const home = makeFolder({
    '.claude.json': '{"mcpServers": ',
    '.codex/config.toml': 'a = [',
    '.gemini/settings.json': '[]',
    '.cursor/mcp.json': '{"mcpServers": {"bad": 1, "good": {"command": "a"}}}',
    '.config/zed/settings.json': `{"a": ${'['.repeat(200_000)}}`,
    '.codeium/windsurf/mcp_config.json': '{}',
  })
  truncateSync(join(home, '.codeium/windsurf/mcp_config.json'), 100 * 1024 * 1024)
  mkdirSync(join(home, '.config/Code/User/mcp.json'), { recursive: true })
  const { servers, warnings } = discover(home, makeFolder({}))
  expect(servers.map(({ name }) => name)).toEqual(['good'])
  expect(warnings.map(({ file, message }) => [file.slice(home.length + 1), message])).toEqual([
    ['.claude.json', expect.stringContaining('not JSON')],
    ['.codex/config.toml', expect.stringContaining('not TOML')],
    ['.gemini/settings.json', expect.stringContaining('expected an object, got')],
    ['.config/Code/User/mcp.json', expect.stringContaining('got a folder')],
    ['.cursor/mcp.json', expect.stringContaining('the server is ignored')],
    ['.config/zed/settings.json', expect.stringContaining('the file is ignored')],
    ['.codeium/windsurf/mcp_config.json', expect.stringContaining('expected at most')],
  ])
})

test('a file of the project that is a link out of the project is ignored; a link of the user is followed', () => {
  const other = makeFolder({ 'mcp.json': one('mcpServers', 'secret') })
  const folder = makeFolder({ 'own.json': one('mcpServers', 'own', { command: 'own' }) })
  const home = makeFolder({})
  symlinkSync(join(other, 'mcp.json'), join(folder, '.mcp.json'))
  mkdirSync(join(folder, '.cursor'))
  symlinkSync(join(folder, 'own.json'), join(folder, '.cursor/mcp.json'))
  symlinkSync(join(other, 'mcp.json'), join(home, '.claude.json'))
  const { servers, warnings } = discover(home, folder)
  expect(servers.map(({ name, places: [location] }) => [name, location?.file])).toEqual([
    ['own', join(folder, '.cursor/mcp.json')],
    ['secret', join(home, '.claude.json')],
  ])
  expect(warnings).toMatchObject([
    { file: join(folder, '.mcp.json'), message: expect.stringContaining('outside of the project') },
  ])
})

test('in the home folder, the file of the user is not read again as that of a project', () => {
  const home = makeFolder({ '.cursor/mcp.json': one('mcpServers', 'a') })
  expect(discover(home, home).servers[0]?.places).toEqual([
    { host: 'cursor', file: join(home, '.cursor/mcp.json'), name: 'a', isDisabled: false },
  ])
})

test('on macOS, the files of the applications are below the library of the user', () => {
  const home = makeFolder({
    'Library/Application Support/Claude/claude_desktop_config.json': one('mcpServers', 'a'),
  })
  expect(discover(home, makeFolder({}), 'darwin').servers[0]?.places[0]?.host).toBe(
    'claude-desktop',
  )
})
