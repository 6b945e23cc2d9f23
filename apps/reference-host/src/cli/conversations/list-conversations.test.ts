import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore } from '@toolblocks/conversation-store'
import { describe, expect, test } from 'vitest'
import { type Ran, toolblocks, visit } from '../toolblocks.support.ts'
import { TWO_TURNS, useConversations } from './conversations.support.ts'

const workspace = useConversations()
const run = async (...args: string[]): Promise<Ran> =>
  await toolblocks(workspace.folder, 'conversations', ...args)

describe('toolblocks conversations list', () => {
  test('shows the first message, the short id, the number of events, and the times of the first and the last', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    await workspace.keep('one', { type: 'turn_start', turn: 1 })
    const { code, stdout } = await run('list')
    expect(stdout).toBe(
      'one\n  2026-05-06 07:00 UTC · 1 event\nCount the lamps, please.  lamps\n  2026-05-06 07:00–07:09 UTC · 10 events\n',
    )
    expect(code).toBe(0)
  })

  test.for([40, 80])('no line is wider than a terminal of %d columns', async (columns) => {
    const prompt = 'Please count all the lamps of the hall, and say how many of them are out.'
    const values = { command: 'serve', model: 'a-model-of-a-provider-2026', folder: '/srv/lamps' }
    const id = '5e551011-0000-4000-8000-000000000000'
    await workspace.keep(
      id,
      { type: 'configuration', values },
      { type: 'user_message', content: [{ type: 'text', text: prompt }] },
    )
    const environment = { NO_COLOR: '1' }
    const typed = ['conversations', 'list']
    const { written } = await visit(workspace.folder, typed, [], { columns, environment })
    expect(written.replaceAll(/\s+/g, ' ')).toContain(
      'Please count all the lamps of the hall, and say how many of… 5e551011 serve · a-model-of-a-provider-2026 · /srv/lamps · 2026-05-06 07:00–07:01 UTC · 2 events',
    )
    for (const line of written.split('\r\n')) expect(line.length).toBeLessThanOrEqual(columns)
  })

  test('--limit shows some, and reports that there are more', async () => {
    await workspace.keep('lamps', ...TWO_TURNS)
    await workspace.keep('one', { type: 'turn_start', turn: 1 })
    const { stdout, stderr } = await run('list', '--limit', '1')
    expect(stdout).toMatch(/^one\n.*\n$/)
    expect(stderr).toBe('There are more: --limit all shows them.\n')
  })

  test('a store whose folders do not exist is an error, and one that does not exist yet is empty', async () => {
    const write = async (path: string) =>
      await writeFile(
        join(workspace.folder, 'toolblocks.toml'),
        `[store]\nurl = "sqlite:${path}"\n`,
      )
    await write('no/such/kept.db')
    const mistyped = await run('list')
    expect([mistyped.code, mistyped.stdout]).toEqual([2, ''])
    expect(mistyped.stderr).toMatch(/toolblocks\.toml:2: store\.url: .*\/no does not exist/)
    await write('new/kept.db')
    expect((await run('list')).code).toBe(0)
    expect(existsSync(join(workspace.folder, 'new'))).toBe(false)
  })

  describe('--client', () => {
    const keepClients = async (): Promise<void> => {
      for (const [id, name] of [
        ['a1', 'ann'],
        ['b1', 'ben'],
        ['a2', 'ann'],
      ] as const) {
        const identity = { id: `["client","${name}"]`, name }
        const values = { command: 'serve', identity, client: { name: 'editor' } }
        await workspace.keep(id, { type: 'configuration', values })
      }
      // A client may call itself by any name.
      const values = { command: 'serve', client: { name: 'ann' } }
      await workspace.keep('c1', { type: 'configuration', values })
    }
    const list = async (...args: string[]): Promise<{ ids: readonly string[]; more: boolean }> => {
      const { stdout } = await run('list', '--output', 'json', ...args)
      const read: { conversations: { id: string }[]; more: boolean } = JSON.parse(stdout)
      return { ids: read.conversations.map(({ id }) => id).toSorted(), more: read.more }
    }

    test('lists the conversations of one client of a service, as its credentials name it', async () => {
      await keepClients()
      expect(await list('--client', 'ann')).toEqual({ ids: ['a1', 'a2'], more: false })
      expect(await list('--client', 'ben')).toEqual({ ids: ['b1'], more: false })
      expect(await list()).toEqual({ ids: ['a1', 'a2', 'b1', 'c1'], more: false })
      const { stdout } = await run('list', '--client', 'ben')
      expect(stdout).toContain('serve · for ben with editor')
    })

    test('counts for --limit only what it lists, and says whether there are more of it', async () => {
      await keepClients()
      const first = await list('--client', 'ann', '--limit', '1')
      expect([first.ids.length, first.more]).toEqual([1, true])
      expect(await list('--client', 'ben', '--limit', '1')).toEqual({ ids: ['b1'], more: false })
    })

    test('finds a client whose conversations are behind those of others', async () => {
      await keepClients()
      await workspace.use(async (store) => {
        for (let n = 0; n < 120; n += 1)
          await store.append(`other-${n}`, 0, [{ type: 'turn_start', turn: 1 }])
      })
      expect((await list('--client', 'ben')).ids).toEqual(['b1'])
      expect(await list('--limit', '60')).toMatchObject({ ids: { length: 60 }, more: true })
      expect((await list('--limit', 'all')).ids).toHaveLength(124)
    })

    test('names the clients that the store has if none has that name', async () => {
      await keepClients()
      const { code, stdout } = await run('list', '--client', 'anm')
      expect([code, stdout]).toEqual([
        0,
        `No conversations of the client "anm" in ${workspace.file}; did you mean "ann"? Its clients are ann, ben.\n`,
      ])
    })
  })

  test('--output json prints conversations as the store returns them', async () => {
    await workspace.keep('one', { type: 'turn_start', turn: 1 })
    const time = '2026-05-06T07:00:00.000Z'
    expect(JSON.parse((await run('list', '--output', 'json')).stdout)).toEqual({
      conversations: [{ id: 'one', events: 1, createdAt: time, updatedAt: time }],
      more: false,
    })
  })

  test('reports an empty store, and creates no file', async () => {
    expect(await run('list')).toEqual({
      code: 0,
      stdout: `No conversations in ${workspace.file}.\n`,
      stderr: '',
    })
    expect(existsSync(workspace.file)).toBe(false)
  })
})

describe('every command of conversations', () => {
  test('uses the data folder of the user if no store is configured, also without a configuration', async () => {
    const data = join(workspace.folder, 'data')
    const store = await openStore(`sqlite:${join(data, 'toolblocks/conversations.db')}`, {
      createFolders: true,
    })
    await store.append('mine', 0, TWO_TURNS)
    await store.close()
    await rm(join(workspace.folder, 'toolblocks.toml'))
    const { code, written } = await visit(workspace.folder, ['conversations', 'list'], [], {
      environment: { XDG_DATA_HOME: data },
    })
    expect([code, written]).toEqual([0, expect.stringContaining('mine')])
  })

  test('names the line of a store that cannot be opened', async () => {
    await writeFile(workspace.file, 'this is text')
    const { code, stderr } = await run('list')
    expect(code).toBe(2)
    expect(stderr).toContain('toolblocks.toml:2: store.url: ')
  })
})
