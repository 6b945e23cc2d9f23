import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NO_TRUST, visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'

/** Starts a server that is no MCP server, and keeps the `Authorization` of each request. */
async function startListener(): Promise<{ url: string; received: (string | undefined)[] }> {
  const received: (string | undefined)[] = []
  const server = createServer((request, response) => {
    received.push(request.headers.authorization)
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, received }
}

test('promise nothing without a yes: a header is agreed to for one address; a folder that names another one asks for it again, also if that address is known', async () => {
  const [first, second] = [await startListener(), await startListener()]
  const folder = makeFolder({})
  const write = (url: string, hasHeader: boolean): void =>
    writeFileSync(
      join(folder, 'toolblocks.toml'),
      `[mcp.servers.web]\nurl = "${url}"\n${hasHeader ? 'headers = { Authorization = "Bearer ${OWN_TOKEN}" }\n' : ''}`,
    )
  const environment = { ...NO_TRUST, OWN_TOKEN: 'sekrit', XDG_CONFIG_HOME: join(folder, 'config') }
  const list = async (answer: 'y' | 'n'): Promise<string> =>
    (
      await visit(folder, ['mcp', 'list'], [[/Do you agree to this\?[^]*No/, `${answer}\r`]], {
        environment,
      })
    ).written

  write(first.url, true)
  expect(await list('y')).toMatch(/header Authorization[^]*OWN_TOKEN/)
  expect(first.received).toContain('Bearer sekrit')

  write(second.url, true)
  expect(await list('n')).toMatch(/header Authorization[^]*OWN_TOKEN/)
  expect(second.received).toEqual([])

  write(second.url, false)
  await list('y')
  expect(new Set(second.received)).toEqual(new Set([undefined]))

  write(second.url, true)
  expect(await list('n')).toMatch(/header Authorization[^]*OWN_TOKEN/)
  expect(new Set(second.received)).toEqual(new Set([undefined]))
})

test('promise nothing without a yes: an address is shown with the host that is reached, and a change in its masked part asks again', async () => {
  const { url } = await startListener()
  const { host } = new URL(url)
  const folder = makeFolder({})
  const visitWith = async (address: string): Promise<string> => {
    const headers = 'headers = { Authorization = "Bearer ${OWN_TOKEN}" }'
    writeFileSync(
      join(folder, 'toolblocks.toml'),
      `[mcp.servers.web]\nurl = '${address}'\n${headers}\n`,
    )
    const answer = address.includes('evil') ? 'n' : 'y'
    const { written } = await visit(
      folder,
      ['mcp', 'list'],
      [[/Do you agree to this\?[^]*No/, `${answer}\r`]],
      {
        environment: { ...NO_TRUST, OWN_TOKEN: 'sekrit', XDG_CONFIG_HOME: join(folder, 'config') },
      },
    )
    return written
  }
  expect(await visitWith(`http://sk-abcdefgh@${host}/mcp?api_key=a`)).toContain(
    `http://***@${host}/mcp?api_key=***`,
  )
  // A client reads the backslash as a slash.
  expect(await visitWith(`http://sk-evil.localhost\\@${host}/mcp?api_key=a`)).toContain(
    `http://sk-evil.localhost/@${host}/mcp?api_key=***`,
  )
  expect(await visitWith(`http://sk-abcdefgh@${host}/mcp?api_key=evil`)).toMatch(
    /Do you agree to this/,
  )
})
