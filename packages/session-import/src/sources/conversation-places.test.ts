import { expect, test } from 'vitest'
import { listConversationPlaces, type PlaceEnvironment } from './conversation-places.ts'

const places = (machine: Partial<PlaceEnvironment>): string[] =>
  listConversationPlaces({
    platform: 'linux',
    home: '/home/ada',
    environment: {},
    folder: '/home/ada/work/app',
    ...machine,
  }).map(({ formats, path }) => `${formats.join('|')} ${path}`)

test('on Linux', () => {
  expect(places({})).toEqual([
    'claude-code /home/ada/.claude/projects',
    'codex /home/ada/.codex/sessions',
    'codex /home/ada/.codex/archived_sessions',
    'gemini-cli /home/ada/.gemini/tmp',
    'qwen-code /home/ada/.qwen/projects',
    'copilot-cli /home/ada/.copilot/session-state',
    'copilot-cli /home/ada/.copilot/history-session-state',
    'cursor /home/ada/.cursor/projects',
    'opencode /home/ada/.local/share/opencode/storage/session',
    'opencode-sqlite /home/ada/.local/share/opencode/opencode.db',
    'cline /home/ada/.cline/data/tasks',
    ...['Code', 'Code - Insiders', 'Cursor', 'VSCodium'].flatMap((editor) => [
      `cline /home/ada/.config/${editor}/User/globalStorage/saoudrizwan.claude-dev/tasks`,
      `cline /home/ada/.config/${editor}/User/globalStorage/rooveterinaryinc.roo-cline/tasks`,
    ]),
    'pi /home/ada/.pi/agent/sessions',
    'jp /home/ada/.local/share/jp/workspace',
    'jp /home/ada/work/app/.jp/conversations',
    'jp /home/ada/work/.jp/conversations',
    'jp /home/ada/.jp/conversations',
    'jp /home/.jp/conversations',
    'jp /.jp/conversations',
    'lace|lace-sqlite /home/ada/.lace',
  ])
})

test('on macOS and Windows', () => {
  const mac = { platform: 'darwin' as const, home: '/Users/ada', folder: '/' }
  expect(places(mac)).toContain('jp /Users/ada/Library/Application Support/jp/workspace')
  const windows = { platform: 'win32' as const, home: 'C:\\Users\\ada', folder: 'C:\\' }
  expect(places(windows)).toContain('claude-code C:\\Users\\ada\\.claude\\projects')
  expect(places(windows)).toContain(
    'cline C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\tasks',
  )
  expect(places(mac)).toContain(
    'cline /Users/ada/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/tasks',
  )
  expect(places(windows)).toContain('jp C:\\Users\\ada\\AppData\\Roaming\\jp\\workspace')
})

test('if a variable has moved it', () => {
  const environment = {
    CODEX_HOME: '/c',
    CLAUDE_CONFIG_DIR: '/d',
    XDG_DATA_HOME: '/e',
    LACE_DIR: '/f',
    QWEN_HOME: '/g',
    COPILOT_HOME: '/h',
    XDG_CONFIG_HOME: '/i',
  }
  expect(places({ environment })).toEqual(
    expect.arrayContaining([
      'claude-code /d/projects',
      'codex /c/sessions',
      'jp /e/jp/workspace',
      'lace|lace-sqlite /f',
      'qwen-code /g/projects',
      'copilot-cli /h/session-state',
      'opencode-sqlite /e/opencode/opencode.db',
      'cline /i/Code/User/globalStorage/saoudrizwan.claude-dev/tasks',
    ]),
  )
})
