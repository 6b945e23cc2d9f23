import { expect, onTestFinished, test } from 'vitest'
import { type OpenedServer, openServers, type OpenServersOptions } from './open-servers.ts'
import { NOTES, workspace } from './workspace.support.ts'
import { TYPED_SERVERS, type WrittenServer } from './written-servers.ts'

const written = (name: string, table: WrittenServer['table']): WrittenServer => ({
  name,
  file: 'toolblocks.toml',
  table,
  own: {},
  tools: {},
  waiting: [],
})

async function open(
  servers: readonly WrittenServer[],
  more: Partial<OpenServersOptions> = {},
): Promise<readonly OpenedServer[]> {
  const opened = await openServers(servers, {
    root: workspace({}),
    environment: {},
    hooks: () => ({}),
    signal: new AbortController().signal,
    ...more,
  })
  onTestFinished(async () => {
    for (const each of opened) if (each.ok) await each.server.close()
  })
  return opened
}

const notes = (more: WrittenServer['table'] = {}): WrittenServer =>
  written('notes', { command: NOTES.command, args: [...NOTES.args], ...more })

test('a server is opened in the workspace, with variables and hooks; if it cannot be opened, the error says why and what to do', async () => {
  const root = workspace({})
  const servers = [
    notes({ env: { SAYS: '${WORDS}' } }),
    written('unset', { url: '${NOT_SET}' }),
    written('gone', { command: 'not-there-at-all' }),
  ]
  const messages: string[] = []
  const opened = await open(servers, {
    root,
    environment: { WORDS: 'Reads one.' },
    hooks: () => ({ onMessage: ({ direction }) => void messages.push(direction) }),
  })
  expect(opened.map((each) => each.written)).toEqual(servers)
  const [own, unset, gone] = opened
  if (!own?.ok) throw new Error('the server of notes was not opened')
  expect(own.server.tools()[0]?.description).toBe('Reads one.')
  expect(messages).toContain('received')
  const folder = own.server.tools().find(({ name }) => name === 'notes__folder')
  const context = { signal: new AbortController().signal, root: '/', answers: {} }
  const call = { id: 'c', name: 'notes__folder', arguments: {} }
  expect(await folder?.execute(call, context)).toMatchObject({ content: [{ text: root }] })
  expect(unset).toEqual({
    written: servers[1],
    ok: false,
    reason: 'failed',
    message: expect.stringContaining('NOT_SET is not set'),
  })
  expect(gone).toEqual({
    written: servers[2],
    ok: false,
    reason: 'failed',
    message: expect.stringContaining('"gone" could not be'),
    fix: expect.stringMatching(/\w/),
  })
})

test('a table without a program and an address is named as such, whatever else it has', async () => {
  const [opened] = await open([{ ...written('a', {}), own: { run: 'ask' } }])
  expect(opened).toMatchObject({
    ok: false,
    message: 'expected "command" or "url", and its table has neither',
  })
})

test('the advice for a server that was typed names no key of a file', async () => {
  const gone = written('gone', { command: 'not-there-at-all' })
  const [typed, configured] = await open([{ ...gone, file: TYPED_SERVERS }, gone])
  expect(typed).toMatchObject({
    fix: 'Run this command line by hand and read its output; --env gives it a variable.',
  })
  expect(configured).toMatchObject({ fix: expect.stringContaining('"command"') })
})

test('a cancelled command opens no server, and reports no failure', async () => {
  const servers = [notes()]
  expect(await open(servers, { signal: AbortSignal.abort() })).toEqual([
    { written: servers[0], ok: false, reason: 'aborted' },
  ])
})
