import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { describeValue, getErrorText } from '@toolblocks/protocol/internal'
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
import { formatTomlTable } from '../../workspace/configuration/format-toml.ts'
import { readToml } from '../../workspace/configuration/read-toml.ts'
import { readRegularFile } from '../../workspace/files/read-regular-file.ts'
import { type HostName, MCP_HOSTS } from './mcp-hosts.ts'

/** The entry with which an MCP host starts a server. */
export interface HostEntry {
  /** The name of the server in the host. */
  name: string
  /** An absolute path: hosts that are started from a desktop have another PATH than a terminal. */
  command: string
  args: readonly string[]
}

/** A server as a host's file has it. */
interface HostServer {
  name: string
  /** In the format of the host. */
  entry: unknown
  /** The folder of the project for which the file of a user has the server. */
  project?: string
}

/** The maximum size in bytes of a host's file, in which hosts store much more than servers. */
const MAX_HOST_FILE_BYTES = 16 * 1024 * 1024

/** Reads the text of a host's file. Throws if it is no file, or too large. */
export function readHostText(file: string): string {
  return readRegularFile(file, MAX_HOST_FILE_BYTES)
}

/** Reads the servers of a host's file, in the order of the file. Their entries are not checked. */
export function readHostFile(
  host: HostName,
  file: string,
): { ok: true; servers: readonly HostServer[] } | { ok: false; message: string } {
  const { key, format } = MCP_HOSTS[host]
  try {
    const read = readDocument(format, readHostText(file))
    if (!read.ok)
      return { ok: false, message: `it is not ${format.toUpperCase()}: ${read.message}` }
    const list = (tables: unknown, project?: string): readonly HostServer[] =>
      Object.entries(getObject(tables, key)).map(([name, entry]) => ({
        name,
        entry,
        ...(project !== undefined && { project }),
      }))
    const projects = Object.entries(getObject(read.value, 'projects'))
    const ofProjects = projects.flatMap(([project, settings]) => list(settings, project))
    return { ok: true, servers: [...list(read.value), ...ofProjects] }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, message: 'it is nested too deeply' }
    return { ok: false, message: getErrorText(error) }
  }
}

/** The text of a host's file with the entry in it, or why it cannot be added. */
type AddedEntry = { ok: true; text: string; isThere: boolean } | { ok: false; message: string }

/** Adds an entry to the text of a host's file, and keeps all else in it. A different entry of this name is not replaced. */
export function addHostEntry(
  host: HostName,
  text: string,
  { name, command, args }: HostEntry,
): AddedEntry {
  const { key, format, before, after } = MCP_HOSTS[host]
  const isJson = format === 'json'
  const whole = isJson && text.trim() === '' ? '{}\n' : text
  const read = readDocument(format, whole)
  if (!read.ok) {
    const message = isJson ? 'a JSON object; correct it first' : `TOML: ${read.message}`
    return { ok: false, message: `the file is not ${message}` }
  }
  const entry = { ...before, command, args, ...after }
  const existing = read.find(key, name)
  if (existing !== undefined) {
    if (JSON.stringify(existing) === JSON.stringify(entry)) return { ok: true, text, isThere: true }
    const message = `it already has another server ${JSON.stringify(name)}; remove that server, or choose another name with --name`
    return { ok: false, message }
  }
  if (isJson) {
    const formattingOptions = { insertSpaces: !/^\t/m.test(whole), tabSize: 2, eol: '\n' }
    const edits = modify(whole, [key, name], entry, { formattingOptions })
    return { ok: true, text: applyEdits(whole, edits), isThere: false }
  }
  const between = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const longer = `${text}${between}${formatTomlTable([key, name], { command, args })}`
  const again = readDocument(format, longer)
  return again.ok && again.find(key, name) !== undefined
    ? { ok: true, text: longer, isThere: false }
    : {
        ok: false,
        message: `the file cannot hold more tables of servers: write ${key} as tables`,
      }
}

/** The content of a host's file, or why it cannot be read. */
type HostDocument =
  | { ok: true; value: unknown; find(key: string, name: string): unknown }
  | { ok: false; message: string }

function readDocument(format: 'json' | 'toml', text: string): HostDocument {
  if (format === 'json') return readJsonWithComments(text)
  const read = readToml(text)
  if (!read.ok) return { ok: false, message: read.problem.message }
  const { value } = read.document
  return { ok: true, value, find: (key, name) => getOwnValue(getOwnValue(value, key), name) }
}

function readJsonWithComments(text: string): HostDocument {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) {
    const message = `${printParseErrorCode(error.error)} at character ${error.offset}`
    return { ok: false, message }
  }
  if (!isJsonObject(value))
    return { ok: false, message: `expected an object, got ${describeValue(value)}` }
  const find = (key: string, name: string): unknown => {
    const tree = parseTree(text, [], { allowTrailingComma: true })
    const node = tree && findNodeAtLocation(tree, [key, name])
    return node && getNodeValue(node)
  }
  return { ok: true, value, find }
}

function getObject(value: unknown, key: string): JsonObject {
  const ownValue = getOwnValue(value, key)
  return isJsonObject(ownValue) ? ownValue : {}
}

function getOwnValue(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}
