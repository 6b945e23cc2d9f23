import { join } from 'node:path'
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type ParseError,
  parseTree,
} from 'jsonc-parser'
import { readToml } from '../../configuration/read-toml.ts'
import type { HostEntry } from '../host-entry.ts'
import type { HostName } from './host-names.ts'

/** Where a user's files are. */
interface UserPlaces {
  home: string
  platform: NodeJS.Platform
  environment: Readonly<Record<string, string | undefined>>
}

/** The text of a host's file with the entry in it, or why there is none. */
type AddedEntry = { ok: true; text: string; isThere: boolean } | { ok: false; message: string }

/** The file in which a host keeps a user's servers. */
export interface HostFile {
  /** What people call the host. */
  title: string
  file(places: UserPlaces): string
  add(text: string, entry: HostEntry): AddedEntry
}

/** By the documentation of each host. */
export const HOST_FILES: Readonly<Record<HostName, HostFile>> = {
  claude: {
    title: 'Claude Code',
    file: ({ home, environment }) => join(environment['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
    add: inJson('mcpServers', (entry) => ({ type: 'stdio', ...entry })),
  },
  codex: {
    title: 'Codex',
    file: ({ home, environment }) =>
      join(environment['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
    add: addToToml,
  },
  gemini: {
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini/settings.json'),
    add: inJson('mcpServers', (entry) => entry),
  },
  vscode: {
    title: 'VS Code',
    file: (places) => join(applicationData(places), 'Code/User/mcp.json'),
    add: inJson('servers', (entry) => ({ type: 'stdio', ...entry })),
  },
  cursor: {
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor/mcp.json'),
    add: inJson('mcpServers', (entry) => entry),
  },
  zed: {
    title: 'Zed',
    file: (places) =>
      places.platform === 'darwin'
        ? join(places.home, '.config/zed/settings.json')
        : join(
            applicationData(places),
            places.platform === 'win32' ? 'Zed' : 'zed',
            'settings.json',
          ),
    add: inJson('context_servers', (entry) => ({ source: 'custom', ...entry, env: {} })),
  },
}

function applicationData({ home, platform, environment }: UserPlaces): string {
  if (platform === 'darwin') return join(home, 'Library/Application Support')
  if (platform === 'win32') return environment['APPDATA'] || join(home, 'AppData/Roaming')
  return environment['XDG_CONFIG_HOME'] || join(home, '.config')
}

type Started = Pick<HostEntry, 'command' | 'args'>

/** Adds to an object of a JSON file, whose comments and spaces stay. */
function inJson(key: string, shape: (entry: Started) => object): HostFile['add'] {
  return (text, { name, command, args }) => {
    const whole = text.trim() === '' ? '{}\n' : text
    const errors: ParseError[] = []
    const tree = parseTree(whole, errors, { allowTrailingComma: true })
    if (errors.length > 0 || tree?.type !== 'object')
      return { ok: false, message: 'the file is not a JSON object; mend it first' }
    const value = shape({ command, args })
    const before = findNodeAtLocation(tree, [key, name])
    if (before) return compare(text, { before: getNodeValue(before), value, name })
    const formattingOptions = { insertSpaces: !/^\t/m.test(whole), tabSize: 2, eol: '\n' }
    const edits = modify(whole, [key, name], value, { formattingOptions })
    return { ok: true, text: applyEdits(whole, edits), isThere: false }
  }
}

/** A table at the end of Codex's file. */
function addToToml(text: string, { name, command, args }: HostEntry): AddedEntry {
  const read = readToml(text)
  if (!read.ok) return { ok: false, message: `the file is not TOML: ${read.message}` }
  const servers = ownValue(read.document.value, 'mcp_servers')
  const before = ownValue(servers, name)
  if (before !== undefined) return compare(text, { before, value: { command, args }, name })
  const lines = [
    `[mcp_servers.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
  ]
  const between = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const longer = `${text}${between}${lines.join('\n')}\n`
  const again = readToml(longer)
  return again.ok && ownValue(ownValue(again.document.value, 'mcp_servers'), name) !== undefined
    ? { ok: true, text: longer, isThere: false }
    : { ok: false, message: 'the file can take no more tables: write mcp_servers as tables' }
}

function ownValue(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}

/** What stands under the name already is the same, or is not written over. */
function compare(
  text: string,
  { before, value, name }: { before: unknown; value: unknown; name: string },
): AddedEntry {
  if (JSON.stringify(before) === JSON.stringify(value)) return { ok: true, text, isThere: true }
  const message = `it has another server ${JSON.stringify(name)} already; remove that one, or give this one another name with --name`
  return { ok: false, message }
}
