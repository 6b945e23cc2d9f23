import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { describeValue, getErrorText } from '@toolblocks/protocol/internal'
import { isDeepStrictEqual } from 'node:util'
import { readRegularFile } from '../../workspace/files/read-regular-file.ts'
import type { HostFormat } from './host-format.ts'
import { JSON_FORMAT, layOutJson } from './host-json.ts'
import { TOML_FORMAT } from './host-toml.ts'
import { type HostName, MCP_HOSTS } from './mcp-hosts.ts'
import { formatName } from './server-name.ts'

/** The entry with which an MCP host starts a server. */
export interface HostEntry {
  /** The name of the server in the host. */
  name: string
  /** An absolute path: hosts that are started from a desktop have another PATH than a terminal. */
  command: string
  args: readonly string[]
}

/** A server as a host's file has it. */
export interface HostServer {
  name: string
  /** In the format of the host. */
  entry: unknown
  /** The folder of the project for which the file of a user has the server. */
  project?: string
}

/** The formats of hosts' files. */
export const FORMATS: Readonly<Record<'json' | 'toml', HostFormat>> = {
  json: JSON_FORMAT,
  toml: TOML_FORMAT,
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
  try {
    return readHostServers(host, readHostText(file))
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, message: 'it is nested too deeply' }
    return { ok: false, message: getErrorText(error) }
  }
}

/** Reads the servers from the text of a host's file, in its order. */
export function readHostServers(
  host: HostName,
  text: string,
): { ok: true; servers: readonly HostServer[] } | { ok: false; message: string } {
  const { key, format } = MCP_HOSTS[host]
  const read = FORMATS[format].read(text)
  if (!read.ok) return read
  const list = (tables: unknown, project?: string): readonly HostServer[] =>
    Object.entries(getObject(tables, key)).map(([name, entry]) => ({
      name,
      entry,
      ...(project !== undefined && { project }),
    }))
  const projects = Object.entries(getObject(read.value, 'projects'))
  const ofProjects = projects.flatMap(([project, settings]) => list(settings, project))
  return { ok: true, servers: [...list(read.value), ...ofProjects] }
}

/** A change of one server in a host's file. */
export interface HostChange {
  /** The name of the server in this file. */
  name: string
  /** As in {@link HostServer}. */
  project?: string
  /** The new entry, in the format of the host. Absent: the server is removed. */
  entry?: JsonObject
  /** How the entry was written in this file before, from {@link readEntrySource}. */
  source?: string
}

/** The new text of a host's file, or why it cannot be changed. */
type ChangedText = { ok: true; text: string } | { ok: false; message: string }

/** Changes servers in the text of a host's file, and keeps all else in it. */
export function changeHostText(
  host: HostName,
  text: string,
  changes: readonly HostChange[],
): ChangedText {
  const { key, format } = MCP_HOSTS[host]
  const isJson = format === 'json'
  const whole =
    isJson && text.trim() === '' ? `${text.startsWith('\uFEFF') ? '\uFEFF' : ''}{}\n` : text
  const read = FORMATS[format].read(whole)
  if (!read.ok) return { ok: false, message: `${read.message}; correct it first` }
  const changed = changes.reduce<ChangedText>(
    (before, change) => {
      if (!before.ok) return before
      const path = getPath(host, change)
      const wrong = findWrongParent(read.value, path)
      if (wrong !== undefined) return { ok: false, message: `${wrong}; correct it first` }
      const next = FORMATS[format].change(before.text, path, change)
      const after = FORMATS[format].read(next)
      const entry = after.ok && path.reduce(getOwnValue, after.value)
      // A server that the file has twice, or in another form, may be unchanged.
      if (isDeepStrictEqual(entry, change.entry)) return { ok: true, text: next }
      const message = isJson
        ? describeUnchanged(format, before.text, path)
        : `the file cannot hold more tables of servers: write ${key} as tables`
      return { ok: false, message }
    },
    { ok: true, text: whole },
  )
  if (!changed.ok) return changed
  const removed = changes.filter((change) => change.entry === undefined)
  const servers = removed.map((change) => getPath(host, change).slice(0, -1))
  return { ok: true, text: servers.reduce(FORMATS[format].removeEmpty, changed.text) }
}

/** Returns why a server has not changed as it should. */
function describeUnchanged(format: 'json' | 'toml', text: string, path: readonly string[]): string {
  let { values } = FORMATS[format].locate(text)
  for (const [index, key] of path.entries()) {
    values = values.flatMap((value) =>
      value.kind === 'fields'
        ? value.fields.flatMap(([name, each]) => (name === key ? [each] : []))
        : [],
    )
    if (values.length > 1)
      return `it has ${formatPath(path.slice(0, index + 1))} twice; remove one of them first`
  }
  return `it has ${formatPath(path)} in a form that cannot be changed; correct it first`
}

function formatPath(path: readonly string[]): string {
  return path.map(formatName).join('.')
}

/** Returns why a value on the way to a server cannot have it. */
function findWrongParent(whole: unknown, path: readonly string[]): string | undefined {
  let value = whole
  for (const [index, key] of path.slice(0, -1).entries()) {
    value = getOwnValue(value, key)
    if (value === undefined) return undefined
    if (isJsonObject(value)) continue
    return `${formatPath(path.slice(0, index + 1))}: expected an object, got ${describeValue(value)}`
  }
  return undefined
}

/** Returns the text of a host's file as a person reads it: JSON that is in one line has several. */
export function layOutHostText(host: HostName, text: string): string {
  return MCP_HOSTS[host].format === 'json' ? layOutJson(text) : text
}

/** Whether a text is an entry as a host's file writes it, and nothing besides. */
export function isEntrySource(
  host: HostName,
  source: string,
  { entry, ...server }: Pick<HostChange, 'name' | 'project'> & { entry: JsonObject },
): boolean {
  const { format } = MCP_HOSTS[host]
  const read = FORMATS[format].read(source)
  if (format === 'json') return read.ok && isDeepStrictEqual(read.value, entry)
  const whole = getPath(host, server).reduceRight<unknown>(
    (value, key) => ({ [key]: value }),
    entry,
  )
  return read.ok && isDeepStrictEqual(read.value, whole)
}

/** Returns how a server is written in a host's file, with its comments. */
export function readEntrySource(
  host: HostName,
  text: string,
  server: Pick<HostChange, 'name' | 'project'>,
): string | undefined {
  return FORMATS[MCP_HOSTS[host].format].findSource(text, getPath(host, server))
}

/** Returns the keys on the way to a server. */
function getPath(
  host: HostName,
  { name, project }: Pick<HostChange, 'name' | 'project'>,
): readonly string[] {
  const { key } = MCP_HOSTS[host]
  return [...(project === undefined ? [] : ['projects', project]), key, name]
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
