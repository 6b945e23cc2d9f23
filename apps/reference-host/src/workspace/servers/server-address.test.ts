import { expect, test } from 'vitest'
import { readTransport, toAbsoluteServer } from './server-address.ts'

const WEB = 'https://mcp.example/mcp'

test('for an entry that any folder starts, its files are absolute, and its name and its address stay', () => {
  expect(toAbsoluteServer(WEB, import.meta.dirname)).toBe(WEB)
  expect(toAbsoluteServer('npx -y server', import.meta.dirname)).toBe('npx -y server')
  const own = `${import.meta.dirname}/mask-server.ts`
  expect(toAbsoluteServer('node mask-server.ts', import.meta.dirname)).toBe(`node ${own}`)
  expect(toAbsoluteServer('mine=node mask-server.ts', import.meta.dirname)).toBe(`mine=node ${own}`)
})

test('another scheme than http is no command line, and the error names the schemes', () => {
  expect(readTransport('notaurl://x')).toEqual({
    ok: false,
    message: '--server "notaurl://x": an address begins with https:// or http://, got notaurl://',
  })
  expect(readTransport('node server.js https://x')).toMatchObject({ ok: true })
})
