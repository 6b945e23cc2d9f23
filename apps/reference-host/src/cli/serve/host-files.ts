import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { describeValue } from '@toolblocks/protocol/internal'
import {
  type ParseError,
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'

import { homedir } from 'node:os'
import { join } from 'node:path'
import { readToml } from '../../workspace/configuration/read-toml.ts'
import type { HostEntry } from './host-entry.ts'
import type { HostName } from './host-names.ts'

/** The environment that locates a user's files. */
export interface UserPlaces {
  home: string
  platform: NodeJS.Platform
  environment: Readonly<Record<string, string | undefined>>
}

/** Returns the places of the user who runs this process. */
export function getUserPlaces(): UserPlaces {
  return { home: homedir(), platform: process.platform, environment: process.env }
}

/** The text of a host's file with the entry in it, or why it cannot be added. */
type AddedEntry = { ok: true; text: string; isThere: boolean } | { ok: false; message: string }

/** The file in which a host stores a user's servers. */
interface HostFile {
  /** The usual name of the host. */
  title: string
  file(places: UserPlaces): string
  /** The file with the servers of one project, inside its folder. */
  projectFile?: string
  /** The key of the servers in both files. */
  key: string
  format: 'json' | 'toml'
  add(text: string, entry: HostEntry): AddedEntry
}

/** The files as the documentation of each host names them. */
export const HOST_FILES: Readonly<Record<HostName, HostFile>> = {
  claude: {
    title: 'Claude Code',
    file: ({ home, environment }) => join(environment['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
    projectFile: '.mcp.json',
    key: 'mcpServers',
    format: 'json',
    add: inJson('mcpServers', (entry) => ({ type: 'stdio', ...entry })),
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (places) => join(applicationData(places), 'Claude/claude_desktop_config.json'),
    key: 'mcpServers',
    format: 'json',
    add: inJson('mcpServers', (entry) => entry),
  },
  codex: {
    title: 'Codex',
    file: ({ home, environment }) =>
      join(environment['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
    projectFile: '.codex/config.toml',
    key: 'mcp_servers',
    format: 'toml',
    add: addToToml,
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    file: ({ home, environment }) =>
      join(environment['COPILOT_HOME'] || join(home, '.copilot'), 'mcp-config.json'),
    projectFile: '.github/mcp.json',
    key: 'mcpServers',
    format: 'json',
    add: inJson('mcpServers', (entry) => ({ type: 'stdio', ...entry, tools: ['*'] })),
  },
  gemini: {
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini/settings.json'),
    projectFile: '.gemini/settings.json',
    key: 'mcpServers',
    format: 'json',
    add: inJson('mcpServers', (entry) => entry),
  },
  vscode: {
    title: 'VS Code',
    file: (places) => join(applicationData(places), 'Code/User/mcp.json'),
    projectFile: '.vscode/mcp.json',
    key: 'servers',
    format: 'json',
    add: inJson('servers', (entry) => ({ type: 'stdio', ...entry })),
  },
  cursor: {
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor/mcp.json'),
    projectFile: '.cursor/mcp.json',
    key: 'mcpServers',
    format: 'json',
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
    projectFile: '.zed/settings.json',
    key: 'context_servers',
    format: 'json',
    add: inJson('context_servers', (entry) => ({ source: 'custom', ...entry, env: {} })),
  },
  windsurf: {
    title: 'Windsurf',
    file: ({ home }) => join(home, '.codeium/windsurf/mcp_config.json'),
    key: 'mcpServers',
    format: 'json',
    add: inJson('mcpServers', (entry) => entry),
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

/** A server as a host's file has it. */
export interface HostServer {
  name: string
  /** In the format of the host. */
  entry: unknown
  /** The folder of the project for which the file of a user has the server. */
  project?: string
}

/** Reads the servers of a host's file, in the order of the file. Their entries are not checked. */
export function readHostFile(
  { key, format }: Pick<HostFile, 'key' | 'format'>,
  text: string,
): { ok: true; servers: readonly HostServer[] } | { ok: false; message: string } {
  const read = format === 'toml' ? readToml(text) : readJsonWithComments(text)
  if (!read.ok)
    return { ok: false, message: `it is not ${format.toUpperCase()}: ${read.problem.message}` }
  const { value } = read.document
  const projects = Object.entries(getObject(value, 'projects'))
  return {
    ok: true,
    servers: [
      ...Object.entries(getObject(value, key)).map(([name, entry]) => ({ name, entry })),
      ...projects.flatMap(([project, settings]) =>
        Object.entries(getObject(settings, key)).map(([name, entry]) => ({ name, entry, project })),
      ),
    ],
  }
}

function readJsonWithComments(
  text: string,
): { ok: true; document: { value: unknown } } | { ok: false; problem: { message: string } } {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error)
    return {
      ok: false,
      problem: { message: `${printParseErrorCode(error.error)} at character ${error.offset}` },
    }
  return isJsonObject(value)
    ? { ok: true, document: { value } }
    : { ok: false, problem: { message: `expected an object, got ${describeValue(value)}` } }
}

function getObject(value: unknown, key: string): JsonObject {
  const ownValue = getOwnValue(value, key)
  return isJsonObject(ownValue) ? ownValue : {}
}

/** Adds a table at the end of Codex's file. */
function addToToml(text: string, { name, command, args }: HostEntry): AddedEntry {
  const read = readToml(text)
  if (!read.ok) return { ok: false, message: `the file is not TOML: ${read.problem.message}` }
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

/** The maximum size in bytes of a host's file, in which hosts store much more than servers. */
export const MAX_HOST_FILE_BYTES = 16 * 1024 * 1024
