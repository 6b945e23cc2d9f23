import { confirm } from '../../terminal/ask/confirm.ts'
import { renderTerminal } from '@toolblocks/renderer'
import {
  type ParseError,
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
} from 'jsonc-parser'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { readToml } from '../../workspace/configuration/read-toml.ts'
import { readRegularFile } from '../../workspace/files/read-regular-file.ts'
import { findRealPath } from '../../workspace/files/real-path.ts'
import { writeInOneStep } from '../../workspace/files/write-together.ts'
import type { HostEntry } from './host-entry.ts'
import type { HostName } from './host-names.ts'

/** The environment that locates a user's files. */
interface UserPlaces {
  home: string
  platform: NodeJS.Platform
  environment: Readonly<Record<string, string | undefined>>
}

/** The text of a host's file with the entry in it, or why it cannot be added. */
type AddedEntry = { ok: true; text: string; isThere: boolean } | { ok: false; message: string }

/** The file in which a host stores a user's servers. */
interface HostFile {
  /** The usual name of the host. */
  title: string
  file(places: UserPlaces): string
  add(text: string, entry: HostEntry): AddedEntry
}

/** The files as the documentation of each host names them. */
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

/** Adds an entry to an object of a JSON file, and keeps its comments and spaces. */
function inJson(key: string, shape: (entry: Started) => object): HostFile['add'] {
  return (text, { name, command, args }) => {
    const whole = text.trim() === '' ? '{}\n' : text
    const errors: ParseError[] = []
    const tree = parseTree(whole, errors, { allowTrailingComma: true })
    if (errors.length > 0 || tree?.type !== 'object')
      return { ok: false, message: 'the file is not a JSON object; correct it first' }
    const value = shape({ command, args })
    const before = findNodeAtLocation(tree, [key, name])
    if (before) return compare(text, { before: getNodeValue(before), value, name })
    const formattingOptions = { insertSpaces: !/^\t/m.test(whole), tabSize: 2, eol: '\n' }
    const edits = modify(whole, [key, name], value, { formattingOptions })
    return { ok: true, text: applyEdits(whole, edits), isThere: false }
  }
}

/** Adds a table at the end of Codex's file. */
function addToToml(text: string, { name, command, args }: HostEntry): AddedEntry {
  const read = readToml(text)
  if (!read.ok) return { ok: false, message: `the file is not TOML: ${read.message}` }
  const servers = getOwnValue(read.document.value, 'mcp_servers')
  const before = getOwnValue(servers, name)
  if (before !== undefined) return compare(text, { before, value: { command, args }, name })
  const lines = [
    `[mcp_servers.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
  ]
  const between = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const longer = `${text}${between}${lines.join('\n')}\n`
  const again = readToml(longer)
  return again.ok &&
    getOwnValue(getOwnValue(again.document.value, 'mcp_servers'), name) !== undefined
    ? { ok: true, text: longer, isThere: false }
    : {
        ok: false,
        message: 'the file cannot hold more tables of servers: write mcp_servers as tables',
      }
}

function getOwnValue(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}

/** Compares an existing entry of this name with the new one. A different entry is not replaced. */
function compare(
  text: string,
  { before, value, name }: { before: unknown; value: unknown; name: string },
): AddedEntry {
  if (JSON.stringify(before) === JSON.stringify(value)) return { ok: true, text, isThere: true }
  const message = `it already has another server ${JSON.stringify(name)}; remove that server, or choose another name with --name`
  return { ok: false, message }
}

/** Hosts store much more than servers in these files. */
const MAX_HOST_FILE_BYTES = 16 * 1024 * 1024

/** Writes the entry into the host's file, after a person has seen the change and agreed. */
export async function installEntry(
  context: CommandContext,
  entry: HostEntry,
  { host, yes = false }: { host: HostName; yes?: boolean },
): Promise<number> {
  const { terminal } = context
  const { title, file: fileOf, add } = HOST_FILES[host]
  const places = { home: homedir(), platform: process.platform, environment: process.env }
  const named = fileOf(places)
  // If the file is a symbolic link, its target is written.
  const file = findRealPath(named) ?? named
  const refuse = (message: string): number => {
    terminal.report('error', `${file}: ${message}; nothing was written`)
    return EXIT.usage
  }
  try {
    const before = existsSync(file) ? readRegularFile(file, MAX_HOST_FILE_BYTES) : ''
    const added = add(before, entry)
    if (!added.ok) return refuse(added.message)
    if (added.isThere) {
      terminal.print(terminal.sanitize(`${title} has ${entry.name} already, in ${file}.`))
      return EXIT.ok
    }
    if (!(yes || (await confirmChange(context, { title, file, before, after: added.text }))))
      return context.signal.aborted ? EXIT.cancelled : EXIT.denied
    mkdirSync(dirname(file), { recursive: true })
    writeInOneStep(file, added.text, {
      mode: existsSync(file) ? statSync(file).mode & 0o777 : 0o600,
    })
    terminal.print(
      terminal.sanitize(
        `Wrote ${entry.name} to ${file}. ${title} starts the server the next time ${title} starts.`,
      ),
    )
    return EXIT.ok
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

async function confirmChange(
  context: Pick<CommandContext, 'terminal' | 'signal' | 'interrupt'>,
  change: { title: string; file: string; before: string; after: string },
): Promise<boolean> {
  const { terminal } = context
  const { title, file, before, after } = change
  const { colors, columns } = terminal
  const data = { path: file, original: before, modified: after, isNew: before === '' }
  const material = renderTerminal(
    { content: [], structuredContent: { kind: 'diff', data }, isError: false },
    { colors, columns, maxLines: Infinity },
  )
  if (!terminal.isInteractive) {
    terminal.note(material)
    terminal.report(
      'error',
      `${file} can be changed only at a terminal or with --yes; nothing was written`,
    )
    return false
  }
  const question = terminal.style.plain(`Write this into the file of ${title}?`)
  return await confirm(context, { material, question })
}
