import { parse } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { changeHostText, isEntrySource, layOutHostText } from './host-file.ts'
import { HOST_NAMES, MCP_HOSTS } from './mcp-hosts.ts'

const entry = { command: '/bin/node', args: ['/main.js', 'serve', '/a "b".py'] }
const added = [{ name: 'greet', entry }]
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

test.for(HOST_NAMES)('%s: an empty file gets the entry, and is empty again without it', (host) => {
  const first = changeHostText(host, '', added)
  if (!first.ok) throw new Error(first.message)
  expect(first.text).toContain('/bin/node')
  const second = changeHostText(host, first.text, [{ name: 'greet' }])
  expect(second.ok && second.text).not.toContain('/bin/node')
})

test('other content of a JSON file stays, with comments and trailing commas', () => {
  const text =
    '{\n\t// mine\n\t"theme": "dark",\n\t"context_servers": {\n\t\t"a": {"x": [1,2]},\n\t},\n}\n'
  const changed = changeHostText('zed', text, added)
  const edited = changed.ok ? changed.text : changed.message
  expect(edited).toMatch(/^\{\n\t\/\/ mine\n\t"theme": "dark",\n/)
  expect(parse(edited)).toMatchObject({
    theme: 'dark',
    context_servers: { a: { x: [1, 2] }, greet: { command: '/bin/node' } },
  })
})

test('a TOML file gets a table at its end', () => {
  expect(
    changeHostText('codex', 'model = "m" # mine\n[mcp_servers.a]\ncommand = "a"', added),
  ).toEqual({
    ok: true,
    text: 'model = "m" # mine\n[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.greet]\ncommand = "/bin/node"\nargs = ["/main.js", "serve", "/a \\"b\\".py"]\n',
  })
})

test.for([
  [
    'cursor',
    '{"mcpServers": ',
    'it is not JSON: line 1, column 16: expected a value, got the end of the file; correct it first',
  ],
  [
    'cursor',
    '\uFEFF{\r\n  "a": 1\r\n  "secret": 2\r\n}',
    'it is not JSON: line 3, column 3: expected a comma; correct it first',
  ],
  [
    'zed',
    '{"a": }',
    'it is not JSON: line 1, column 7: expected a value, got "}"; correct it first',
  ],
  ['cursor', '{"a": sekret}', 'column 7: expected a value of JSON, got another word; correct'],
  ['cursor', '[]', 'expected an object, got array of 0; correct it first'],
  [
    'cursor',
    '{"mcpServers": []}',
    'mcpServers: expected an object, got array of 0; correct it first',
  ],
  ['cursor', '{"mcpServers": null}', 'mcpServers: expected an object, got null; correct it first'],
  ['codex', 'a = [', 'it is not TOML: line 1: the list that begins here is not closed'],
  ['codex', 'mcp_servers = {}\n', 'cannot hold more tables'],
  ['codex', '[mcp_servers]\ngreet.command = "x"\n', 'cannot hold more tables'],
  [
    'cursor',
    '{"mcpServers": {"greet": {}, "greet": {"command": "x"}}}',
    'it has mcpServers.greet twice; remove one of them first',
  ],
  [
    'cursor',
    '{"mcpServers": {}, "mcpServers": {}}',
    'it has mcpServers twice; remove one of them first',
  ],
] as const)('%s: %j is not replaced', ([host, text, message]) => {
  expect(changeHostText(host, text, added)).toMatchObject({
    ok: false,
    message: expect.stringContaining(message),
  })
})

test('a byte order mark of a JSON file stays', () => {
  const texts = ['\uFEFF{"mcpServers":{"a":{}}}', '\uFEFF{\n  "a": 1\n}\n', '\uFEFF{}\n']
  for (const text of texts) {
    const changed = changeHostText('cursor', text, added)
    const edited = changed.ok ? changed.text : changed.message
    expect(edited).toMatch(/^\uFEFF\{[^]*"greet"/)
    expect(changeHostText('cursor', edited, [{ name: 'greet' }])).toEqual({ ok: true, text })
    expect(layOutHostText('cursor', edited)).toMatch(/\{\n  "/)
  }
  const empty = changeHostText('cursor', '\uFEFF', added)
  expect(empty.ok && empty.text).toMatch(/^\uFEFF\{\n/)
})

test('lines end as in the rest of the file', () => {
  for (const [host, text] of [
    ['cursor', '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n'],
    ['codex', 'model = "m"\r\n'],
  ] as const) {
    const changed = changeHostText(host, text, added)
    expect(changed.ok && changed.text.replaceAll('\r\n', '')).not.toContain('\n')
    expect(changed.ok && changeHostText(host, changed.text, [{ name: 'greet' }])).toEqual({
      ok: true,
      text,
    })
  }
})

test('JSON in one line stays in one line, and a person reads it in several', () => {
  const changed = changeHostText('claude', '{"a":1,"mcpServers":{"b":{}}}', [
    { name: 'b', entry: { command: 'x' } },
    { name: 'c', project: '/p', entry: { command: 'y' } },
  ])
  const text = changed.ok ? changed.text : changed.message
  expect(text).not.toContain('\n')
  const servers = { mcpServers: { c: { command: 'y' } } }
  expect(parse(text)).toEqual({
    a: 1,
    mcpServers: { b: { command: 'x' } },
    projects: { '/p': servers },
  })
  expect(layOutHostText('claude', text)).toMatch(/^\{\n  "a": 1,\n  "mcpServers": \{\n/)
})

test('a removed table of a TOML file takes the tables inside it along, and leaves the others with their comments', () => {
  const text = `\uFEFFmodel = "m"

[mcp_servers.greet] # greets
command = "a"
env_vars = [
  "A",
] # names

[mcp_servers.greet.env]
A = "1"

# mine
[mcp_servers.greeter]
command = "b"

[mcp_servers.greet.tools]
x = 1
`
  expect(changeHostText('codex', text, [{ name: 'greet' }])).toEqual({
    ok: true,
    text: '\uFEFFmodel = "m"\n\n# mine\n[mcp_servers.greeter]\ncommand = "b"\n',
  })
})

test('a text is the source of an entry only if it has nothing besides', () => {
  const change = { name: 'a', entry: { command: 'x' } }
  expect(isEntrySource('claude', '{ "command": "x" /* mine */ }', change)).toBe(true)
  expect(isEntrySource('claude', '{"command":"x"}, "b": {"command":"y"}', change)).toBe(false)
  const table = '[mcp_servers.a] # mine\ncommand = "x"\n'
  expect(isEntrySource('codex', table, change)).toBe(true)
  expect(isEntrySource('codex', `${table}[mcp_servers.b]\ncommand = "y"\n`, change)).toBe(false)
})
