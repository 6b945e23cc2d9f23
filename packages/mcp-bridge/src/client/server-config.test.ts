import { expect, test } from 'vitest'
import { readServerConfig, type ServerConfig } from './server-config.ts'

const timeoutMs = 5000

test('the fields of an entry of .mcp.json become the transport, and others stay', () => {
  const program = { command: 'npx', args: ['-y', 'notes'], env: { A: '1' }, cwd: '/srv' }
  expect(readServerConfig({ name: 'notes', timeoutMs, ...program })).toEqual({
    name: 'notes',
    timeoutMs,
    transport: { kind: 'stdio', ...program },
  })
  const endpoint = { url: 'https://notes.example/mcp', headers: { Authorization: 'Bearer x' } }
  expect(readServerConfig({ name: 'notes', trusted: true, ...endpoint })).toEqual({
    name: 'notes',
    trusted: true,
    transport: { kind: 'http', ...endpoint },
  })
  const whole: ServerConfig = { name: 'notes', transport: { kind: 'stdio', command: 'notes' } }
  expect(readServerConfig(whole)).toBe(whole)
})

test.for<[unknown, string]>([
  [undefined, 'expected a server with a name, got nothing'],
  ['notes', 'expected a server with a name, got string "notes"'],
  [{ command: 'npx' }, 'expected a server with a name, got object with command'],
  [{ name: 'notes' }, 'expected a "transport", a "command" or a "url", got object with name'],
  [{ name: 'notes', command: 7 }, 'expected a "transport", a "command" or a "url"'],
  [
    { name: 'notes', transport: { kind: 'sse' } },
    'expected "transport" with kind "stdio" or "http"',
  ],
])('%o is refused with what to write', ([entry, expected]) => {
  expect(() => readServerConfig(entry as ServerConfig)).toThrow(
    expect.objectContaining({
      code: 'invalid-argument',
      message: expect.stringContaining(expected),
    }),
  )
  expect(() => readServerConfig(entry as ServerConfig)).toThrow(
    'write { name, command, args } or { name, url }',
  )
})
