import { posix, win32 } from 'node:path'
import type { FormatName } from '../../events/format-name.ts'

/** A folder or file in which a program keeps conversations, whether it is there or not. */
export interface ConversationPlace {
  /** What lies there is in one of them; told by its content. */
  formats: readonly FormatName[]
  path: string
}

/** Where to look. */
export interface PlaceEnvironment {
  /** As `process.platform` names it; what is not `win32` or `darwin` is read as Linux. */
  platform: string
  /** The folder of this user. */
  home: string
  /** Variables that programs let their folders be moved by. */
  environment: Readonly<Record<string, string | undefined>>
  /** The folder somebody works in: some programs keep conversations in the workspace. */
  folder: string
}

/** The places in which the programs whose conversations can be imported keep them on a machine. */
export function listConversationPlaces({
  platform,
  home,
  environment,
  folder,
}: PlaceEnvironment): readonly ConversationPlace[] {
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

/** VS Code and editors made of it, by the names of their folders. */
const EDITORS: readonly string[] = ['Code', 'Code - Insiders', 'Cursor', 'VSCodium']
/** Cline and Roo Code. */
const EXTENSIONS: readonly string[] = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline']

/** Where editors keep what belongs to a user. */
function settingsFolder(
  platform: string,
  { home, environment }: Pick<PlaceEnvironment, 'home' | 'environment'>,
): string {
  if (platform === 'win32' || platform === 'darwin')
    return dataFolder(platform, { home, environment })
  return environment['XDG_CONFIG_HOME'] || posix.join(home, '.config')
}

/** Where programs keep what belongs to a user and is no setting. */
function dataFolder(
  platform: string,
  { home, environment }: Pick<PlaceEnvironment, 'home' | 'environment'>,
): string {
  if (platform === 'win32') return environment['APPDATA'] || win32.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support')
  return environment['XDG_DATA_HOME'] || posix.join(home, '.local', 'share')
}
