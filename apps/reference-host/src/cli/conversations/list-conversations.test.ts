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
