import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { readRows } from '../stage/rows.ts'
import { readPage, startView } from '../stage/view.ts'

/** Files in the formats of other programs. */
const FILES = fileURLToPath(new URL('../../packages/session-import/src/fixtures', import.meta.url))

/** Creates a folder with a store, and with the files of some formats in `old`. */
function folderWith(...formats: readonly string[]): string {
  const folder = makeFolder({ 'toolblocks.toml': '[store]\nurl = "sqlite:kept.db"\n' })
  for (const format of formats)
    cpSync(join(FILES, format), join(folder, 'old', format), { recursive: true })
  return folder
}

const toLines = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

test('promise import: an export of ChatGPT becomes one conversation for each of its conversations, with messages, calls and answers', async () => {
  const folder = folderWith('chatgpt')
  const { code, stdout } = await toolblocks(folder, 'import', 'old/chatgpt/conversations.json')
  expect(code).toBe(0)
  expect(stdout).toContain('✓ 2 conversations: 2 imported')

  const { stdout: rendered } = await toolblocks(
    folder,
    'conversations',
    'show',
    'chatgpt-chatgpt-1',
  )
  expect(rendered).toMatch(
    /How many lamps are lit\?[^]*each lamp\.[^]*✓ python[^]*lamps\.txt[^]*north lamp: lit[^]*One lamp is lit\.[^]*✗ lamps\.set[^]*no oil is left/,
  )
  const searched = await toolblocks(folder, 'conversations', 'search', 'fog')
  expect(searched.stdout).toContain('chatgpt-2')

  const { address, end } = await startView(folder, 'chatgpt-chatgpt-1')
  const page = await readPage(address)
  for (const text of ['How many lamps are lit?', 'python', 'north lamp: lit', 'no oil is left'])
    expect(page).toContain(text)
  await end()
})

test('promise import: models, tokens, folders and edits of sessions of coding agents are readable fields', async () => {
  const folder = folderWith('claude-code', 'copilot-cli', 'opencode', 'qwen-code')
  expect((await toolblocks(folder, 'import', 'old')).code).toBe(0)
  const rows = readRows(join(folder, 'kept.db'))
  const getRows = (start: string): readonly Record<string, unknown>[] =>
    rows.filter(({ conversation }) => conversation.startsWith(start))
  for (const start of ['claude-code-', 'copilot-cli-copilot-1', 'opencode-', 'qwen-code-']) {
    const [first] = getRows(start)
    expect(first).toMatchObject({
      imported: {
        about: { title: 'Count the lamps', folder: '/home/user/lighthouse', model: 'model-one' },
      },
    })
  }
  expect(getRows('claude-code-').filter(({ usage }) => usage !== undefined)).toMatchObject([
    { model: 'model-one', usage: { inputTokens: 124, cachedInputTokens: 100, outputTokens: 57 } },
    { model: 'model-one', usage: { inputTokens: 124, outputTokens: 9 } },
  ])
  expect(getRows('claude-code-').find(({ type }) => type === 'tool_result')).toMatchObject({
    imported: {
      fields: {
        cwd: '/home/user/lighthouse',
        toolUseResult: { structuredPatch: [{ oldStart: 1 }] },
      },
    },
  })
})

test('promise import: unknown records are counted for each file, and no file with such records is marked as complete', async () => {
  const folder = folderWith('pi', 'openai')
  const { code, stdout } = await toolblocks(folder, 'import', 'old')
  expect(code).toBe(0)
  const lines = stdout.split('\n')
  expect(lines).toContain('✓ old/openai/request.json')
  expect(lines).toContain('• old/pi/2026-02-03T04-05-00-000Z_pi-1.jsonl')
  expect(lines).toContain('  3 records stored unchanged, unknown to this version')
  expect(lines.find((line) => line.includes('3 conversations'))).toMatch(/^• /)
  const imported = await toolblocks(folder, 'import', 'old', '--output', 'json')
  const { conversations } = JSON.parse(imported.stdout)
  expect(conversations.map(({ after }: { after: { unknown: number } }) => after.unknown)).toEqual([
    0, 0, 3,
  ])
  const kept = readRows(join(folder, 'kept.db')).filter(({ type }) => type === 'imported_record')
  expect(kept).toHaveLength(3)
})

test('promise import: conversations that programs store on this machine are found without a path', async () => {
  const folder = folderWith()
  const data = join(folder, 'data')
  cpSync(join(FILES, 'opencode', 'storage'), join(data, 'opencode', 'storage'), { recursive: true })
  const before = process.env['XDG_DATA_HOME']
  process.env['XDG_DATA_HOME'] = data
  onTestFinished(() => {
    if (before === undefined) delete process.env['XDG_DATA_HOME']
    else process.env['XDG_DATA_HOME'] = before
  })
  const args = ['import', '--discover', '--from', 'opencode', '--yes'] as const
  const { code, stdout } = await toolblocks(folder, ...args)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^opencode: 1 conversation, .* in .*\/data\/opencode\/storage\/session$/m)
  expect(readRows(join(folder, 'kept.db'))[0]).toMatchObject({ conversation: 'opencode-ses_1' })
})

test('promise import: a session is listed by its own title, folder and times, whatever its first record is', async () => {
  const folder = folderWith()
  const timestamp = '2026-02-03T04:05:06.000Z'
  const userMessage = { type: 'user', message: { role: 'user', content: 'Mend it.' } }
  writeFileSync(
    join(folder, 'session.jsonl'),
    toLines(
      { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
      { parentUuid: null, sessionId: 's', uuid: 'u', timestamp, cwd: '/w/lamps', ...userMessage },
      { type: 'custom-title', customTitle: 'Lamp in the hall', sessionId: 's' },
      { type: 'ai-title', aiTitle: 'Mending', sessionId: 's' },
    ),
  )
  expect((await toolblocks(folder, 'import', 'session.jsonl')).code).toBe(0)
  const { stdout } = await toolblocks(folder, 'conversations', 'list')
  expect(stdout).toMatch(
    /^Lamp in the hall {2}s\n {2}claude-code · \/w\/lamps · 2026-02-03 04:05 UTC ·/,
  )
})

test('promise import: a call is shown with the outcome that its program recorded, and with no other', async () => {
  const folder = folderWith()
  const tool = { type: 'tool-remove', toolCallId: 'a', input: { path: 'lamps.txt' } }
  const approval = { id: 'r', approved: false, reason: 'keep it' }
  const parts = [
    { ...tool, state: 'approval-responded', approval },
    { ...tool, toolCallId: 'b', state: 'approval-requested', approval: { id: 's' } },
    { ...tool, toolCallId: 'c', state: 'input-available' },
  ]
  writeFileSync(join(folder, 'chat.json'), JSON.stringify([{ id: 'm', role: 'assistant', parts }]))
  const codex = (payload: object, type = 'response_item'): object => ({ type, payload })
  writeFileSync(
    join(folder, 'rollout.jsonl'),
    toLines(
      codex({ id: 's' }, 'session_meta'),
      codex({ type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c' }),
      codex({
        type: 'function_call_output',
        call_id: 'c',
        output: 'Exit code: 1\nWall time: 1 seconds\nOutput:\nno oil',
      }),
    ),
  )
  expect((await toolblocks(folder, 'import', 'chat.json', 'rollout.jsonl')).code).toBe(0)
  const chat = (await toolblocks(folder, 'conversations', 'show', 'ai-sdk-chat')).stdout
  expect(chat).toMatch(
    /⊘ remove[^]*denied by a person[^]*keep it[^]*\? remove[^\n]*waited for approval[^]*… remove[^\n]*no result is recorded/,
  )
  expect(chat).not.toContain('interrupted')
  const shell = (await toolblocks(folder, 'conversations', 'show', 'codex-s')).stdout
  expect(shell).toContain('✗ shell')
})

test('promise import: words typed while a program works, and those of its agents, are shown as what they are', async () => {
  const folder = folderWith()
  const line = (uuid: string, type: string, content: string, more: object = {}): object => ({
    parentUuid: null,
    sessionId: 's',
    uuid,
    timestamp: '2026-02-03T04:05:06.000Z',
    type,
    message: { role: type, content },
    ...more,
  })
  writeFileSync(
    join(folder, 'session.jsonl'),
    toLines(
      line('1', 'user', 'Count the lamps.'),
      line('0', 'assistant', 'I send an agent.'),
      line('2', 'assistant', 'I am searching.', { isSidechain: true }),
      line('5', 'assistant', 'It searches.'),
      line('3', 'attachment', '', {
        attachment: {
          type: 'queued_command',
          commandMode: 'prompt',
          prompt: 'Only those that are lit.',
        },
      }),
      line('4', 'assistant', 'One lamp is lit.'),
      line('4', 'assistant', 'One lamp is lit.'),
    ),
  )
  expect((await toolblocks(folder, 'import', 'session.jsonl')).code).toBe(0)
  const { stdout } = await toolblocks(folder, 'conversations', 'show', 'claude-code-s')
  expect(stdout).toMatch(
    /Person\n[^]*Count the lamps\.\n[^]*Agent\n[^]*I am searching\.\n[^]*Person\n[^]*Only those that are lit\.\n[^]*Model\n[^]*One lamp is lit\./,
  )
  expect(stdout.split('One lamp is lit.')).toHaveLength(2)
  const { address, end } = await startView(folder, 'claude-code-s')
  expect(await readPage(address)).toMatch(
    />Model<[^]*I send an agent\.[^]*>Agent<[^]*I am searching\.[^]*>Model<[^]*It searches\.[^]*Only those/,
  )
  await end()
})

test('promise import: the branch that the program would continue is the conversation, and what was taken back is folded at its place', async () => {
  const folder = folderWith()
  const entry = (id: string, parentId: string | null, role: string, text: string): object => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-02-03T04:05:06.000Z',
    message: { role, content: [{ type: 'text', text }] },
  })
  const start = { type: 'session', version: 3, id: 's', timestamp: '2026-02-03T04:05:05.000Z' }
  writeFileSync(
    join(folder, 'session.jsonl'),
    toLines(
      start,
      entry('1', null, 'user', 'Name a lamp.'),
      entry('2', '1', 'assistant', 'The north lamp.'),
      entry('3', '2', 'user', 'Break it.'),
      entry('4', '1', 'assistant', 'The south lamp.'),
      entry('5', '4', 'user', 'Light it.'),
    ),
  )
  expect((await toolblocks(folder, 'import', 'session.jsonl')).code).toBe(0)
  const show = ['conversations', 'show', 'pi-s'] as const
  const { stdout } = await toolblocks(folder, ...show)
  expect(stdout).toMatch(
    /Name a lamp\.\n#3 {3}2 messages that were taken back\n#6[^]*The south lamp\.[^]*Light it\./,
  )
  expect(stdout).not.toContain('north')
  const modelView = (await toolblocks(folder, ...show, '--model-view')).stdout
  expect(modelView).toContain('The south lamp.')
  expect(modelView).not.toMatch(/north|Break|taken back/)
  for (const [output, fold] of [
    ['markdown', /Name a lamp[^]*_2 messages that were taken back_[^]*The south/],
    ['html', /<summary>[^]*2 messages that were taken back[^]*north[^]*<\/details>[^]*The south/],
  ] as const) {
    const args = ['conversations', 'export', 'pi-s', '--output', output]
    expect((await toolblocks(folder, ...args)).stdout).toMatch(fold)
  }
  const { address, end } = await startView(folder, 'pi-s')
  expect(await readPage(address)).toMatch(
    /Name a lamp\.[^]*<details class="tb-many"><summary>[^<]*<span[^>]*>2 messages that were taken back<[^]*The north lamp\.[^]*Break it\.[^]*<\/details>[^]*The south lamp\./,
  )
  await end()
})

test('promise import: imported sessions are listed by their own time, and the latest one is the one that ended last', async () => {
  const folder = folderWith()
  const session = (year: number): string =>
    toLines({
      parentUuid: null,
      sessionId: `of-${year}`,
      uuid: `u${year}`,
      timestamp: `${year}-02-03T04:05:06.000Z`,
      type: 'user',
      message: { role: 'user', content: `Said in ${year}.` },
    })
  writeFileSync(join(folder, 'a.jsonl'), session(2025))
  writeFileSync(join(folder, 'b.jsonl'), session(2023))
  expect((await toolblocks(folder, 'import', 'a.jsonl', 'b.jsonl')).code).toBe(0)
  const { stdout } = await toolblocks(folder, 'conversations', 'list')
  expect(stdout).toMatch(/Said in 2025\.[^]*Said in 2023\./)
  expect((await toolblocks(folder, 'conversations', 'show', 'latest')).stdout).toContain('2025')
})
