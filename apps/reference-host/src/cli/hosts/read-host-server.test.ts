import { expect, test } from 'vitest'
import { nameVariable, readHostServer } from './read-host-server.ts'

const folders = { home: '/home/ada', project: '/work/app' }

test.for([
  [
    'most hosts',
    { command: 'npx', args: ['-y', 'a'], env: { LEVEL: 'debug' } },
    { command: 'npx', args: ['-y', 'a'], env: { LEVEL: 'debug' } },
  ],
  ['an address', { type: 'http', url: 'https://a/mcp' }, { url: 'https://a/mcp' }],
  ['Gemini CLI', { httpUrl: 'https://a/mcp', timeout: 5 }, { url: 'https://a/mcp' }],
  [
    'Windsurf',
    { serverUrl: 'https://a/mcp', headers: { A: 'Bearer ${env:TOKEN}' } },
    { url: 'https://a/mcp', headers: { A: 'Bearer ${TOKEN}' } },
  ],
  [
    'Codex over HTTP',
    {
      url: 'https://a/mcp',
      http_headers: { 'X-A': '1' },
      env_http_headers: { 'X-B': 'B_VALUE' },
      bearer_token_env_var: 'A_TOKEN',
    },
    {
      url: 'https://a/mcp',
      headers: { 'X-A': '1', 'X-B': '${B_VALUE}', Authorization: 'Bearer ${A_TOKEN}' },
    },
  ],
  [
    'Codex',
    { command: 'a', env_vars: ['TOKEN'], env: { X: '1' } },
    { command: 'a', env: { TOKEN: '${TOKEN}', X: '1' } },
  ],
  [
    'older versions of Zed',
    { command: { path: 'a', args: ['b'], env: { X: '1' } }, settings: {} },
    { command: 'a', args: ['b'], env: { X: '1' } },
  ],
  [
    'VS Code',
    {
      command: '${workspaceFolder}/a',
      args: ['${userHome}/b', '${input:my-key}', '${NAME:-x}', '${unknown:x}'],
    },
    { command: '/work/app/a', args: ['/home/ada/b', '${MY_KEY}', '${NAME:-x}', '${unknown:x}'] },
  ],
  ['a program of the project', { command: './a.sh' }, { command: './a.sh', cwd: '/work/app' }],
  [
    'a folder',
    { command: 'a', cwd: 'servers', env: null },
    { command: 'a', cwd: '/work/app/servers' },
  ],
  [
    'numbers of variables',
    { command: 'a', env: { PORT: 1 } },
    { command: 'a', env: { PORT: '1' } },
  ],
] as const)('the format of %s is read', ([, entry, table]) => {
  expect(readHostServer(entry, folders)).toEqual({ ok: true, table, isDisabled: false })
})

test.for([
  [{ command: 'a', disabled: true }, true],
  [{ command: 'a', enabled: false }, true],
  [{ command: 'a', enabled: true }, false],
] as const)('%j: disabled is %j', ([entry, isDisabled]) => {
  expect(readHostServer(entry, folders)).toMatchObject({ ok: true, isDisabled })
})

test.for([
  ['a', 'expected an object with "command" or "url"'],
  [{}, '"command" or "url"'],
  [{ command: ' ' }, '"command" or "url"'],
  [{ command: 'a', args: [1] }, '"args"'],
  [{ command: 'a', args: 'b' }, '"args"'],
  [{ command: 'a', cwd: 1 }, '"cwd"'],
  [{ command: 'a', env: [] }, '"env"'],
  [{ command: 'a', env: { X: {} } }, '"env.X"'],
  [{ url: 'file:///etc/passwd' }, 'https://'],
  [{ url: 1 }, 'https://'],
  [{ url: 'https://a', headers: { X: [] } }, '"headers.X"'],
  [{ url: 'https://a', type: 'sse' }, 'SSE'],
] as const)('%j is refused', ([entry, message]) => {
  expect(readHostServer(entry, folders)).toEqual({
    ok: false,
    message: expect.stringContaining(message),
  })
})

test('a text becomes the name of a variable', () => {
  expect(['github-token', '1st', 'a b'].map(nameVariable)).toEqual(['GITHUB_TOKEN', '_1ST', 'A_B'])
})
