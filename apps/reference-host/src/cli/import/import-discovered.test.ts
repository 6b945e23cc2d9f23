import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { atTerminal, toolblocks } from '../toolblocks.support.ts'

let folder: string
let environment: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolblocks-discover-'))
  writeFileSync(join(folder, 'toolblocks.toml'), '[store]\nurl = "sqlite:kept.db"\n')
  const home = join(folder, 'home')
  environment = {
    HOME: home,
    USERPROFILE: home,
    CODEX_HOME: join(home, '.codex'),
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    PI_CODING_AGENT_DIR: join(home, '.pi/agent'),
    LACE_DIR: join(home, '.lace'),
    XDG_DATA_HOME: join(home, '.local/share'),
  }
  const timestamp = '2026-02-03T04:05:06.000Z'
  const codex = { timestamp, type: 'session_meta', payload: { id: 's', cwd: '/' } }
  const pi = { type: 'session', id: 'p', timestamp }
  for (const [subfolder, record] of [
    ['.codex/sessions/2026', codex],
    ['.pi/agent/sessions/x', pi],
  ] as const) {
    mkdirSync(join(home, subfolder), { recursive: true })
    writeFileSync(join(home, subfolder, '1.jsonl'), `${JSON.stringify(record)}\n`)
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the places that a person chooses on their machine are imported', async () => {
  const screen = await atTerminal(folder, ['import', '--discover'], environment, [
    ['Which of these', ' \r'],
  ])
  expect(screen).toContain('codex: 1 conversation, ')
  expect(screen).toContain('pi: 1 conversation, ')
  expect(screen).toMatch(/✓ \S+: imported; [^]*1 configuration/)
  const { stdout } = await toolblocks(folder, 'conversations', 'list', '--output', 'json')
  expect(stdout).toContain('codex-s')
  expect(stdout).not.toContain('pi-p')
})
