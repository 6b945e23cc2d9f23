import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { call, connect, firstText } from './testing/servers.suite.ts'

const program = fileURLToPath(new URL('testing/stdio-service.suite.ts', import.meta.url))

test('a service on standard streams is a server like any other', async () => {
  const server = await connect({
    name: 'own',
    transport: { kind: 'stdio', command: process.execPath, args: [program] },
  })
  expect(server).toMatchObject({
    era: 'legacy',
    info: { name: 'stdio' },
    instructions: 'Use it well.',
  })
  expect(firstText(await call(server, 'echo', { a: 1 }))).toBe('{"a":1}')
})

test('it ends with its input', async () => {
  const running = promisify(execFile)(process.execPath, [program])
  running.child.stdin?.end()
  expect((await running).stdout).toBe('')
})
