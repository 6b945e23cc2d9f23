import { expect, test } from 'vitest'
import {
  formatHostEntry,
  isGateway,
  readDirectStart,
  restoreEntry,
  servesSame,
} from './gateway-entry.ts'
import type { HostName } from './mcp-hosts.ts'

const FOLDERS = { home: '/home/ada', folder: '/work' }
const MAIN = '/removed/node_modules/toolblocks/dist/main.js'
const ENTRY = { name: 'notes', command: '/bin/node', args: [MAIN, 'serve', '--server', 'x'] }

const convert = (host: HostName, entry: object, address: string, args = ENTRY.args) => {
  const start = readDirectStart({ name: 'notes', entry }, address, FOLDERS)
  return start && formatHostEntry(host, { ...ENTRY, args }, start)
}

test.for<[string, object, string, boolean]>([
  ['the same args', { command: 'npx', args: ['-y', 'notes'] }, 'npx -y notes', true],
  ['npx without its option', { command: 'npx', args: ['notes'] }, 'npx -y notes', true],
  ['another version', { command: 'npx', args: ['-y', 'notes@1'] }, 'npx -y notes', false],
  ['other arguments', { command: 'notes', args: ['--all'] }, 'notes', false],
  ['a path of the same folder', { command: './notes', cwd: '/work' }, './notes', true],
  ['a path of another folder', { command: './notes', cwd: '/other' }, './notes', false],
  ['the same address', { url: 'https://X.example/mcp/' }, 'https://x.example/mcp', true],
  ['another address', { url: 'https://x.example/' }, 'https://x.example/mcp', false],
  ['an entry that is switched off', { command: 'notes', disabled: true }, 'notes', false],
  ['an entry that is invalid', { command: 7 }, 'notes', false],
  ['variables of a file', { command: 'notes', envFile: '.env' }, 'notes', false],
  ['a variable that no option can name', { command: 'notes', env: { 'a.b': '1' } }, 'notes', false],
])('%s', ([, entry, address, isDirect]) => {
  expect(convert('claude', entry, address) !== undefined).toBe(isDirect)
})

test('the environment and other fields stay, and the server receives exactly these variables', () => {
  const entry = { type: 'stdio', command: 'notes', env: { KEY: '${KEY}', MODE: 'a' }, timeout: 5 }
  expect(convert('claude', entry, 'notes', [...ENTRY.args, '--env', 'MODE=fast'])).toEqual({
    type: 'stdio',
    timeout: 5,
    env: { KEY: '${KEY}', MODE: 'a' },
    command: '/bin/node',
    args: [...ENTRY.args, '--env', 'MODE=fast', '--env', 'KEY'],
  })
})

test('an older entry of Zed has its command and environment in one object', () => {
  const entry = { command: { path: 'notes', args: ['a'], env: { KEY: 'k' } }, settings: {} }
  expect(convert('zed', entry, 'notes a')).toEqual({
    source: 'custom',
    settings: {},
    env: { KEY: 'k' },
    command: '/bin/node',
    args: [...ENTRY.args, '--env', 'KEY'],
  })
})

test('values of headers stay in the environment of the entry, as the host expands them', () => {
  const entry = {
    type: 'http',
    url: 'https://x.example',
    headers: { Authorization: 'Bearer ${input:notes-token}', 'X-Team': 'red' },
  }
  expect(
    convert('vscode', entry, 'https://x.example', [...ENTRY.args, '--header', 'x-team: blue']),
  ).toEqual({
    type: 'stdio',
    env: { HEADER_AUTHORIZATION: 'Bearer ${input:notes-token}', HEADER_X_TEAM: 'red' },
    command: '/bin/node',
    args: [
      ...ENTRY.args,
      '--header',
      'x-team: blue',
      '--header',
      'Authorization: ${HEADER_AUTHORIZATION}',
    ],
  })
})

test('a variable that Codex reads for a header is passed on by its name', () => {
  const entry = {
    url: 'https://x.example',
    bearer_token_env_var: 'NOTES_TOKEN',
    env_http_headers: { 'X-Team': 'TEAM' },
    tool_timeout_sec: 9,
  }
  expect(convert('codex', entry, 'https://x.example')).toEqual({
    tool_timeout_sec: 9,
    env_vars: ['TEAM', 'NOTES_TOKEN'],
    command: '/bin/node',
    args: [
      ...ENTRY.args,
      '--header',
      'X-Team: ${TEAM}',
      '--header',
      'Authorization: Bearer ${NOTES_TOKEN}',
    ],
  })
})

const serving = (...args: readonly string[]) => ({
  command: '/bin/node',
  args: [MAIN, 'serve', ...args],
})

test.for<[string, readonly string[], readonly string[], readonly string[], boolean]>([
  ['other options', ['--server', 'x', '--env', 'A'], ['--server', 'x'], [], true],
  [
    'another order',
    ['--server', 'x', '--server', 'y'],
    ['--server', 'y', '--server', 'x'],
    [],
    true,
  ],
  ['one server more', ['--server', 'x', '--server', 'y'], ['--server', 'x'], [], false],
  ['a program', ['--log', 'json', './a'], ['./a'], ['./a'], true],
  ['another program', ['./b'], ['./a'], ['./a'], false],
  ['a configuration', ['--config', '/a'], ['--config', '/a'], [], true],
  ['another configuration', ['--config', '/b'], ['--config', '/a'], [], false],
  ['a program in place of a configuration', ['./a'], ['--config', '/a'], [], false],
])('whether an entry serves the same: %s', ([, args, wanted, programs, isSame]) => {
  expect(servesSame(serving(...args), serving(...wanted), programs)).toBe(isSame)
})

test('an entry that starts another program serves nothing', () => {
  expect(servesSame({ command: 'node', args: ['a', 'b'] }, serving('--server', 'x'), [])).toBe(
    false,
  )
  const claude = { command: 'claude', args: ['mcp', 'serve', '--server', 'x'] }
  expect(servesSame(claude, serving('--server', 'x'), [])).toBe(false)
  expect(isGateway(claude)).toBe(false)
  expect(servesSame('x', serving('--server', 'x'), [])).toBe(false)
})

test('an entry that starts a program of another package is no gateway, and one of the command without a path is', () => {
  const other = { command: 'node', args: ['/opt/other/dist/main.js', 'serve', '--server', 'x'] }
  expect(isGateway(other)).toBe(false)
  expect(servesSame(other, serving('--server', 'x'), [])).toBe(false)
  const typed = { command: 'npx', args: ['-y', 'toolblocks', 'serve', '--server', 'x'] }
  expect(isGateway(typed)).toBe(true)
  expect(servesSame(typed, serving('--server', 'x'), [])).toBe(true)
})

test('an entry is put back with the limits, variables and values of headers that were changed since', () => {
  const entry = {
    url: 'https://x.example',
    headers: { Authorization: 'Bearer a', 'X-Team': 'red' },
    timeout: 5,
    note: 'n',
  }
  const start = readDirectStart({ name: 'notes', entry }, 'https://x.example', FOLDERS)
  const gateway = formatHostEntry('gemini', ENTRY, start)
  expect(restoreEntry({ entry, gateway }, gateway)).toEqual(entry)
  const { note: _note, ...present } = gateway
  const env = { HEADER_AUTHORIZATION: 'Bearer b', HEADER_X_TEAM: 'red', MODE: 'fast' }
  expect(restoreEntry({ entry, gateway }, { ...present, timeout: 9, env, trust: true })).toEqual({
    url: 'https://x.example',
    headers: { Authorization: 'Bearer b', 'X-Team': 'red' },
    timeout: 9,
    trust: true,
    env: { MODE: 'fast' },
  })
})

test('each header has a variable of its own, which is no other one of the entry', () => {
  const entry = {
    url: 'https://x.example',
    http_headers: { 'X-Key': 'a', X_Key: 'b', Path: '/c' },
    env: { HEADER_X_KEY: 'own' },
  }
  const converted = convert('codex', entry, 'https://x.example')
  expect(converted).toMatchObject({
    env: { HEADER_X_KEY: 'own', HEADER_X_KEY_2: 'a', HEADER_X_KEY_3: 'b', HEADER_PATH: '/c' },
  })
  expect(JSON.stringify(converted)).toContain(
    '"X-Key: ${HEADER_X_KEY_2}","--header","X_Key: ${HEADER_X_KEY_3}"',
  )
})
