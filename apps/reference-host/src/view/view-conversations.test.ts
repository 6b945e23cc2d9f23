import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { TWO_TURNS, useConversations } from '../conversations/conversations.suite.ts'
import { toolblocks } from '../toolblocks.suite.ts'

const workspace = useConversations()

/** Starts `toolblocks view`, takes its address, looks at the page behind it, and ends it with Ctrl-C. */
async function view(
  ...words: readonly string[]
): Promise<{ page: string; url: URL; code: unknown }> {
  const child = spawn(process.execPath, [inject('command'), 'view', '--no-open', ...words], {
    cwd: workspace.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  const url = new URL(String(line))
  const entered = await fetch(new URL('enter', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.origin },
    body: JSON.stringify({ token: url.hash.replace('#t=', '') }),
  })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = await (await fetch(url, { headers: { cookie } })).text()
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  const [code] = await ended
  return { page, url, code: code as unknown }
}

test('toolblocks view ID serves a conversation to whoever has its first line, until Ctrl-C', async () => {
  await workspace.keep('lamps', ...TWO_TURNS)
  const { page, url, code } = await view('lamps')
  expect(url.hostname).toBe('127.0.0.1')
  expect(url.hash).toMatch(/^#t=[0-9a-f]{64}$/)
  expect(page).toContain('Seven lamps.')
  expect(code).toBe(0)
})

test('toolblocks view PATH shows a file of another program, and imports nothing', async () => {
  const lines = [
    {
      type: 'user',
      uuid: 'a',
      sessionId: 's',
      timestamp: '2026-05-06T07:00:00Z',
      message: { role: 'user', content: 'Light it.' },
    },
    {
      type: 'assistant',
      uuid: 'b',
      parentUuid: 'a',
      sessionId: 's',
      timestamp: '2026-05-06T07:00:01Z',
      message: { role: 'assistant', content: [{ type: 'text', text: 'It is **lit**.' }] },
    },
  ]
  const file = join(workspace.folder, 's.jsonl')
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { page } = await view('s.jsonl')
  expect(page).toContain('Light it.')
  expect(page).toContain('It is <strong>lit</strong>.')
  const { stdout } = await toolblocks(workspace.folder, 'conversations', 'list', '--output', 'json')
  expect(JSON.parse(stdout)).toMatchObject({ conversations: [] })
})
