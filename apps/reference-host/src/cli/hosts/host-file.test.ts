import { parse } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { addHostEntry } from './host-file.ts'
import { HOST_NAMES, MCP_HOSTS } from './mcp-hosts.ts'

const entry = { name: 'greet', command: '/bin/node', args: ['/main.js', 'serve', '/a "b".py'] }
const places = { home: '/home/ada', platform: 'linux', environment: {} } as const

test.for([
  ['claude', '/home/ada/.claude.json'],
  ['codex', '/home/ada/.codex/config.toml'],
  ['copilot', '/home/ada/.copilot/mcp-config.json'],
  ['gemini', '/home/ada/.gemini/settings.json'],
  ['vscode', '/home/ada/.config/Code/User/mcp.json'],
  ['cursor', '/home/ada/.cursor/mcp.json'],
  ['zed', '/home/ada/.config/zed/settings.json'],
  ['claude-desktop', '/home/ada/.config/Claude/claude_desktop_config.json'],
  ['windsurf', '/home/ada/.codeium/windsurf/mcp_config.json'],
] as const)('%s keeps its servers in %s', ([host, file]) => {
  expect(MCP_HOSTS[host].file(places)).toBe(file)
})

test('on macOS and Windows, and with a variable, the files are elsewhere', () => {
  const mac = { ...places, platform: 'darwin' } as const
  const windows = { ...places, platform: 'win32' } as const
  expect(MCP_HOSTS.vscode.file(mac)).toBe(
    '/home/ada/Library/Application Support/Code/User/mcp.json',
  )
  expect(MCP_HOSTS.zed.file(mac)).toBe('/home/ada/.config/zed/settings.json')
  expect(MCP_HOSTS.zed.file(windows)).toBe('/home/ada/AppData/Roaming/Zed/settings.json')
  const environment = {
    CODEX_HOME: '/codex',
    COPILOT_HOME: '/copilot',
    CLAUDE_CONFIG_DIR: '/claude',
    APPDATA: '/data',
  }
  expect(MCP_HOSTS.codex.file({ ...places, environment })).toBe('/codex/config.toml')
  expect(MCP_HOSTS.copilot.file({ ...places, environment })).toBe('/copilot/mcp-config.json')
  expect(MCP_HOSTS.claude.file({ ...places, environment })).toBe('/claude/.claude.json')
  expect(MCP_HOSTS.vscode.file({ ...windows, environment })).toBe('/data/Code/User/mcp.json')
})

test.for(HOST_NAMES)(
  '%s: an empty file gets the entry, and a second time nothing changes',
  (host) => {
    const added = addHostEntry(host, '', entry)
    if (!added.ok) throw new Error(added.message)
    expect(added.isThere).toBe(false)
    expect(addHostEntry(host, added.text, entry)).toEqual({
      ok: true,
      text: added.text,
      isThere: true,
    })
    expect(addHostEntry(host, added.text, { ...entry, command: '/else' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('another server "greet"'),
    })
  },
)

test('other content of a JSON file stays, with comments and trailing commas', () => {
  const text =
    '{\n\t// mine\n\t"theme": "dark",\n\t"context_servers": {\n\t\t"a": {"x": [1,2]},\n\t},\n}\n'
  const added = addHostEntry('zed', text, entry)
  const edited = added.ok ? added.text : added.message
  expect(edited).toMatch(/^\{\n\t\/\/ mine\n\t"theme": "dark",\n/)
  expect(parse(edited)).toMatchObject({
    theme: 'dark',
    context_servers: { a: { x: [1, 2] }, greet: { command: '/bin/node', env: {} } },
  })
})

test('a TOML file gets a table at its end', () => {
  expect(
    addHostEntry('codex', 'model = "m" # mine\n[mcp_servers.a]\ncommand = "a"', entry),
  ).toEqual({
    ok: true,
    isThere: false,
    text: 'model = "m" # mine\n[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.greet]\ncommand = "/bin/node"\nargs = ["/main.js", "serve", "/a \\"b\\".py"]\n',
  })
})

test.for([
  ['cursor', '{"mcpServers": ', 'not a JSON object'],
  ['cursor', '[]', 'not a JSON object'],
  ['codex', 'a = [', 'not TOML'],
  ['codex', 'mcp_servers = {}\n', 'cannot hold more tables'],
] as const)('%s: %j is not replaced', ([host, text, message]) => {
  expect(addHostEntry(host, text, entry)).toMatchObject({
    ok: false,
    message: expect.stringContaining(message),
  })
})
