import type { ServerTable } from '../../workspace/servers/mask-server.ts'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { describeValue } from '@toolblocks/protocol/internal'
import { resolve, sep } from 'node:path'

/** The folders to which variables of hosts such as `${workspaceFolder}` refer. */
export interface HostFolders {
  home: string
  /** The folder of the project. */
  project: string
}

/** What a host's file says about a server, or what is wrong with it. */
export type ReadServer =
  | { ok: true; table: ServerTable; isDisabled: boolean }
  | { ok: false; message: string }

/**
 * Reads a server in the format of any known host. Most hosts write `command`, `args`, `env` and `cwd`, or `url` and `headers`. Also read: `httpUrl` of
 * Gemini CLI, `serverUrl` of Windsurf, `http_headers`, `env_http_headers`, `bearer_token_env_var` and `env_vars` of Codex, and a `command` with `path` and
 * `args` of older versions of Zed. Variables are returned as `${NAME}`; `${input:token}` of VS Code is returned as `${TOKEN}`.
 */
export function readHostServer(entry: unknown, folders: HostFolders): ReadServer {
  if (!isJsonObject(entry)) return refuse('an object with "command" or "url"', entry)
  const isDisabled = entry['disabled'] === true || entry['enabled'] === false
  const convert = (text: string): string => convertVariables(text, folders)
  const url = entry['httpUrl'] ?? entry['serverUrl'] ?? entry['url']
  if (url !== undefined) {
    if (typeof url !== 'string' || !/^(?:https?:\/\/|\$\{)/.test(convert(url)))
      return refuse('an address that begins with https:// or http://', url)
    if (entry['type'] === 'sse')
      return { ok: false, message: 'HTTP with SSE (2024-11-05) is not supported' }
    const headers = readHeaders(entry)
    if (!headers.ok) return headers
    return {
      ok: true,
      isDisabled,
      table: { url: convert(url), ...convertAll('headers', headers.texts, convert) },
    }
  }
  const older = entry['command']
  const normalized: JsonObject = isJsonObject(older)
    ? { ...entry, ...older, command: older['path'] ?? '' }
    : entry
  const { command, args = [], cwd } = normalized
  if (typeof command !== 'string' || command.trim() === '')
    return refuse('"command" or "url"', entry)
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    return refuse('a list of strings as "args"', args)
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string')
    return refuse('a path as "cwd"', cwd)
  const env = readEnvironment(normalized)
  if (!env.ok) return env
  const commandLine = [command, ...args].map(convert)
  // A host starts the server in the folder of the project; this folder is not always the one of the configuration.
  const isRelative = commandLine.some((word) => /^\.{1,2}[/\\]/.test(word))
  const folder =
    typeof cwd === 'string'
      ? resolve(folders.project, convert(cwd))
      : isRelative
        ? folders.project
        : undefined
  return {
    ok: true,
    isDisabled,
    table: {
      command: commandLine[0] ?? '',
      ...(commandLine.length > 1 && { args: commandLine.slice(1) }),
      ...convertAll('env', env.texts, convert),
      ...(folder !== undefined && { cwd: folder }),
    },
  }
}

type ReadTexts =
  | { ok: true; texts: Readonly<Record<string, string>> }
  | { ok: false; message: string }

function readHeaders(entry: JsonObject): ReadTexts {
  const literal = readTexts(entry['http_headers'] ?? entry['headers'], 'headers')
  if (!literal.ok) return literal
  const variables = readTexts(entry['env_http_headers'], 'env_http_headers')
  if (!variables.ok) return variables
  const token = entry['bearer_token_env_var']
  return {
    ok: true,
    texts: {
      ...literal.texts,
      ...Object.fromEntries(
        Object.entries(variables.texts).map(([name, variable]) => [name, `\${${variable}}`]),
      ),
      ...(typeof token === 'string' && { Authorization: `Bearer \${${token}}` }),
    },
  }
}

function readEnvironment(entry: JsonObject): ReadTexts {
  const env = readTexts(entry['env'], 'env')
  if (!env.ok) return env
  const passed: unknown = entry['env_vars']
  const names = Array.isArray(passed) ? passed.filter((name) => typeof name === 'string') : []
  return {
    ok: true,
    texts: { ...Object.fromEntries(names.map((name) => [name, `\${${name}}`])), ...env.texts },
  }
}

function readTexts(value: unknown, field: string): ReadTexts {
  if (value === undefined || value === null) return { ok: true, texts: {} }
  if (!isJsonObject(value)) return refuse(`an object of strings as "${field}"`, value)
  const texts: [string, string][] = []
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string' && typeof text !== 'number' && typeof text !== 'boolean')
      return refuse(`a string as "${field}.${name}"`, text)
    texts.push([name, String(text)])
  }
  return { ok: true, texts: Object.fromEntries(texts) }
}

function convertAll<Field extends 'env' | 'headers'>(
  field: Field,
  texts: Readonly<Record<string, string>>,
  convert: (text: string) => string,
): Partial<Record<Field, Readonly<Record<string, string>>>> {
  const entries = Object.entries(texts).map(([name, text]) => [name, convert(text)])
  const converted: Partial<Record<Field, Readonly<Record<string, string>>>> = {}
  if (entries.length > 0) converted[field] = Object.fromEntries(entries)
  return converted
}

/** Variables of hosts: `${env:NAME}`, `${input:id}` and folders. `${NAME}` and `${NAME:-default}` stay. */
function convertVariables(text: string, { home, project }: HostFolders): string {
  return text.replaceAll(/\$\{([^{}]*)\}/g, (whole, inside: string) => {
    const [, kind, name = ''] = /^(env|input):(.+)$/.exec(inside) ?? []
    if (kind === 'env') return `\${${name}}`
    if (kind === 'input') return `\${${nameVariable(name)}}`
    switch (inside) {
      case 'workspaceFolder':
        return project
      case 'userHome':
        return home
      case '/':
      case 'pathSeparator':
        return sep
      default:
        return whole
    }
  })
}

/** Returns the name of a variable of the environment for a text: `github-token` is `GITHUB_TOKEN`. */
export function nameVariable(text: string): string {
  const name = text.replaceAll(/\W+/g, '_').toUpperCase()
  return /^[A-Z_]/.test(name) ? name : `_${name}`
}

function refuse(expected: string, got: unknown): { ok: false; message: string } {
  return { ok: false, message: `expected ${expected}, got ${describeValue(got)}` }
}
