import type { FormatName } from '@toolblocks/conversation-store'
import { requireArguments } from '@toolblocks/protocol/internal'
import { posix, win32 } from 'node:path'

/** A folder or file in which a program keeps conversations, whether it exists or not. */
export interface ConversationPlace {
  /** The possible formats of its files. The content of a file decides which one it is. */
  formats: readonly FormatName[]
  path: string
}

/** The environment in which places are searched. */
export interface PlaceEnvironment {
  /** The platform, as in `process.platform`. Values other than `win32` and `darwin` are treated as Linux. */
  platform: string
  /** The home folder of the user. */
  home: string
  /** Environment variables, with which some programs let users move their folders. */
  environment: Readonly<Record<string, string | undefined>>
  /** The working folder, because some programs keep conversations in the workspace. */
  folder: string
}

/** Returns the places in which programs whose conversations can be imported keep them on a machine. */
export function listConversationPlaces(machine: PlaceEnvironment): readonly ConversationPlace[] {
  requireArguments('listConversationPlaces(machine)', [
    machine,
    { platform: 'string', home: 'string' },
  ])
  const { platform, home, environment, folder } = machine
  const { join, dirname } = platform === 'win32' ? win32 : posix
  const under = (variable: string, usual: string, ...inner: string[]): string =>
    join(environment[variable] || join(home, usual), ...inner)
  const workspaces: string[] = []
  for (let above = folder; ; above = dirname(above)) {
    workspaces.push(join(above, '.jp', 'conversations'))
    if (dirname(above) === above) break
  }
  const opencode = join(environment['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'opencode')
  const editors = settingsFolder(platform, { home, environment })
  return [
    { formats: ['claude-code'], path: under('CLAUDE_CONFIG_DIR', '.claude', 'projects') },
    { formats: ['codex'], path: under('CODEX_HOME', '.codex', 'sessions') },
    { formats: ['codex'], path: under('CODEX_HOME', '.codex', 'archived_sessions') },
    { formats: ['gemini-cli'], path: join(home, '.gemini', 'tmp') },
    { formats: ['qwen-code'], path: under('QWEN_HOME', '.qwen', 'projects') },
    { formats: ['copilot-cli'], path: under('COPILOT_HOME', '.copilot', 'session-state') },
    { formats: ['copilot-cli'], path: under('COPILOT_HOME', '.copilot', 'history-session-state') },
    { formats: ['cursor'], path: join(home, '.cursor', 'projects') },
    { formats: ['opencode'], path: join(opencode, 'storage', 'session') },
    { formats: ['opencode-sqlite'], path: join(opencode, 'opencode.db') },
    { formats: ['cline'], path: join(home, '.cline', 'data', 'tasks') },
    ...EDITORS.flatMap((editor) =>
      EXTENSIONS.map((extension) => ({
        formats: ['cline'] as const,
        path: join(editors, editor, 'User', 'globalStorage', extension, 'tasks'),
      })),
    ),
    { formats: ['pi'], path: under('PI_CODING_AGENT_DIR', join('.pi', 'agent'), 'sessions') },
    { formats: ['jp'], path: join(dataFolder(platform, { home, environment }), 'jp', 'workspace') },
    ...workspaces.map((path) => ({ formats: ['jp'] as const, path })),
    { formats: ['lace', 'lace-sqlite'], path: under('LACE_DIR', '.lace') },
  ]
}

/** VS Code and editors that are based on it, by the names of their folders. */
const EDITORS: readonly string[] = ['Code', 'Code - Insiders', 'Cursor', 'VSCodium']
/** The extension ids of Cline and Roo Code. */
const EXTENSIONS: readonly string[] = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline']

/** Returns the folder in which editors keep the files of a user. */
function settingsFolder(
  platform: string,
  { home, environment }: Pick<PlaceEnvironment, 'home' | 'environment'>,
): string {
  if (platform === 'win32' || platform === 'darwin')
    return dataFolder(platform, { home, environment })
  return environment['XDG_CONFIG_HOME'] || posix.join(home, '.config')
}

/** Returns the folder in which programs keep files of a user that are not settings. */
function dataFolder(
  platform: string,
  { home, environment }: Pick<PlaceEnvironment, 'home' | 'environment'>,
): string {
  if (platform === 'win32') return environment['APPDATA'] || win32.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support')
  return environment['XDG_DATA_HOME'] || posix.join(home, '.local', 'share')
}
