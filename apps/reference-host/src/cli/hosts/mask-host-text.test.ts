import { expect, test } from 'vitest'
import { maskHostText } from './mask-host-text.ts'

test('secrets of servers are not in the text that a person reads', () => {
  const text =
    '{"mcpServers":{"a":{"command":"x","env":{"API_KEY":"sekret-1","MODE":"fast"}},"b":{"url":"u","headers":{"Authorization":"Bearer abc"}}}}'
  const masked = maskHostText('claude', text)
  expect(masked).not.toMatch(/sekret-1|Bearer abc/)
  expect(masked).toContain('"MODE":"fast"')
  expect(maskHostText('codex', '[mcp_servers.a]\nenv = { API_KEY = "sekret-1" }\n')).toContain(
    'API_KEY = "***"',
  )
})

test.for([
  ['another part of the file', '{"primaryApiKey":"SECRET1x"}'],
  ['another object', '{"oauth":{"accessToken":"SECRET1x"}}'],
  ['a password of an address', '{"mcpServers":{"a":{"url":"https://u:SECRET1x@h/mcp"}}}'],
  ['an address', '{"mcpServers":{"a":{"url":"https://h/mcp?token=SECRET&api_key=SECRET2"}}}'],
  ['the older form of Zed', '{"context_servers":{"a":{"command":{"env":{"API_TOKEN":"SECRET"}}}}}'],
  ['settings of a server', '{"context_servers":{"a":{"settings":{"token":"SECRET"}}}}'],
  ['escapes', '{"API_TOKEN":"\\u0053ECRET\\/x", "other":"SECRET/x"}'],
  ['a token', '{"bearer_token":"SECRET"}'],
  ['a comment', '{\n// "OLD_TOKEN": "SECRET",\n/* --api-key SECRET\n KEY=SECRET */ }'],
  ['a command line', '{"args":["--server","a --api-key SECRET"]}'],
  ['a variable of a command line', '{"args":["--server","env API_TOKEN=SECRET a"]}'],
  ['a quoted word', `{"args":["--server","a --header 'X-Key: SECRET y' --token \\"SECRET z\\""]}`],
  ['a word after an option', '{"args":["--token","SECRET"]}'],
  ['a fixed argument', '{"args":["--fix","t.api_key=SECRET"]}'],
  ['the form of a token', '{"note":"ghp_SECRETabcdefghijklmnopqrstuvwxyz0123456"}'],
  ['a list', '{"tokens":["SECRET",["SECRET"]]}'],
] as const)('JSON has no secret for a person in %s', ([, text]) => {
  const masked = maskHostText('zed', text)
  expect(masked).not.toMatch(/ECRET/)
  expect(masked).toContain('***')
  expect(masked.split('\n')).toHaveLength(text.split('\n').length)
})

test.for([
  ['single quotation marks', "env = { API_TOKEN = 'SECRET' }\n"],
  ['several lines', '[a]\nAPI_TOKEN = """\nSECRET\nSECRET"""\nmode = "fast"\n'],
  ['a dotted key', 'a.env."API_TOKEN" = \'SECRET\'\n'],
  ['a list', "args = [\n  '--token', # mine\n  'SECRET',\n]\n"],
  ['a comment', "# API_TOKEN = 'SECRET'\n"],
  ['a file with a byte order mark', "\uFEFF[mcp_servers.a]\nbearer_token = 'SECRET'\n"],
])('TOML has no secret for a person in %s', ([, text = '']) => {
  const masked = maskHostText('codex', text)
  expect(masked).not.toContain('SECRET')
  expect(masked).toContain('***')
  expect(masked.split('\n')).toHaveLength(text.split('\n').length)
})

test('a number with the name of a secret is not shown, and other numbers are', () => {
  expect(maskHostText('claude', '{"PIN_TOKEN":48291734,"numStartups":4829}')).toBe(
    '{"PIN_TOKEN":"***","numStartups":4829}',
  )
  expect(maskHostText('codex', 'PIN_TOKEN = 48291734\nport = 8080\n')).toBe(
    'PIN_TOKEN = "***"\nport = 8080\n',
  )
})

test.for([
  '{"args":["serve","--policy","get_key=deny","--rename","read_token=read","--deny-tool","x.key=1"]}',
  '{"env":{"API_KEY":"${API_KEY}","OTHER_KEY":"${input:key}","MODE":"fast"}}',
  '{"headers":{"Authorization":"Bearer ${TOKEN}"},"url":"https://h/mcp?mode=fast"}',
  '{"command":"/bin/node","args":["/opt/a/main.js","--verbose"], // mine\n"disabled":true}',
])('what is no secret stays: %s', (text) => {
  expect(maskHostText('cursor', text)).toBe(text)
})

test('names of variables of Codex stay', () => {
  const text = `[mcp_servers.a]
bearer_token_env_var = "GITHUB_TOKEN"
env_vars = ["API_KEY"]
`
  expect(maskHostText('codex', text)).toBe(text)
})
