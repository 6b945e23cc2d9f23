import { expect, onTestFinished, test } from 'vitest'
import { run, startToolblocks } from '../stage/command.ts'
import { makeFolder, tool } from '../stage/folder.ts'
import { INITIALIZE, postMessage } from '../stage/post-message.ts'
import { HAS_POSTGRES, usePostgres } from '../stage/postgres.ts'

const usesStore = usePostgres()

/** A machine with settings of its own, and the folder of a service. */
function makeMachine(store: string, clients: readonly string[]) {
  const tables = clients.map((name) => `[serve.clients.${name}]\n`).join('')
  const folder = makeFolder({
    'toolblocks.toml': `[store]\nurl = "${store}"\n${tables}${tool('greet', ['echo', 'hello'])}`,
  })
  const environment = { XDG_CONFIG_HOME: makeFolder({}) }
  return {
    toolblocks: async (...args: readonly string[]) =>
      await run(folder, args, { ...process.env, ...environment }),
    serve: async () => {
      const service = startToolblocks(folder, ['serve', '--http', '0'], environment)
      const [, address = ''] = await service.said(/at (http:\S+)/)
      onTestFinished(async () => void (await service.end('SIGTERM')))
      return { address, said: service.said }
    },
  }
}

const ping = async (address: string, token: string): Promise<number> => {
  const response = await postMessage(new URL(address), token, INITIALIZE)
  await response.text()
  return response.status
}

test.skipIf(!HAS_POSTGRES)(
  'promise several clients: a token in PostgreSQL counts at the services of every machine that have its client, until one machine revokes it',
  async () => {
    const store = usesStore()
    const here = makeMachine(store, ['ann', 'ben'])
    const there = makeMachine(store, ['ann'])
    const others = makeMachine(store, ['zoe'])
    const added = await here.toolblocks('serve', 'tokens', 'add', 'ann')
    expect(added.stderr).toMatch(/The token of ann in postgres:\/\/\S+, for all services there/)
    const token = added.stdout.trim()
    const services = [await here.serve(), await there.serve()]
    for (const { address } of services) expect(await ping(address, token)).toBe(200)
    expect(await ping((await others.serve()).address, token)).toBe(401)

    // Later tokens count at once, too.
    const { stdout } = await there.toolblocks('serve', 'tokens', 'add', 'ann', '--expires', '1d')
    for (const { address } of services)
      await expect.poll(async () => await ping(address, stdout.trim())).toBe(200)
    expect((await there.toolblocks('serve', 'tokens', 'add', 'ben')).code).toBe(2)

    const list = await there.toolblocks('serve', 'tokens', 'list', '--output', 'json')
    const { tokens }: { tokens: { id: string; store: string }[] } = JSON.parse(list.stdout)
    expect(tokens).toMatchObject([{ name: 'ann' }, { name: 'ann', expires: expect.any(String) }])
    expect(list.stdout).not.toMatch(/hash|toolblocks_/)
    const listed = await here.toolblocks('serve', 'tokens')
    expect(listed.stdout).toMatch(/ann {2}added \S+ · in postgres:\/\/[^@\n]+\n/)

    const revoked = await there.toolblocks('serve', 'tokens', 'revoke', tokens[0]?.id ?? '')
    expect([revoked.code, revoked.stdout]).toEqual([
      0,
      expect.stringMatching(/^Revoked the token \w+ of ann in postgres:/),
    ])
    for (const { address } of services)
      await expect.poll(async () => await ping(address, token)).toBe(401)
    for (const { address } of services) expect(await ping(address, stdout.trim())).toBe(200)
    const again = await here.toolblocks('serve', 'tokens', 'revoke', tokens[0]?.id ?? '')
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('no token')])

    // What cannot be read is not called empty.
    const away = makeMachine('postgres://127.0.0.1:9/away', ['ann'])
    const unread = await away.toolblocks('serve', 'tokens', 'list')
    expect([unread.code, unread.stdout]).toEqual([2, ''])
    const unknown = await away.toolblocks('serve', 'tokens', 'revoke', tokens[1]?.id ?? '')
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('in the file of the user, and the store was not read'),
    ])
  },
)
