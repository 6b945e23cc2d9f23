import { getServerPart } from '@toolblocks/mcp-bridge/names'
import { type TerminalText, isToolDefinition } from '@toolblocks/protocol'
import { getOwnField, isJsonObject, isPlainObject } from '@toolblocks/protocol/json'
import { renderTerminal } from '@toolblocks/renderer'
import { basename, dirname, join } from 'node:path'
import type { Terminal } from '../../terminal/terminal.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { hashJson } from '../files/hash-json.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { writeInOneStep } from '../files/write-file.ts'
import type { PinnedDefinition } from './define-tool.ts'
import type { UnavailableTool } from './unavailable-tool.ts'
import type { ResolvedTool } from './resolve-tools.ts'

/** Tools compared with the descriptions that are recorded beside their configuration. */
export interface OpenedPins {
  /** The tools that may be called. */
  tools: readonly ResolvedTool[]
  /** Pinned tools that have changed, or whose record cannot be read. */
  left: readonly UnavailableTool[]
  changes: readonly PinChange[]
  warnings: readonly string[]
  file: string
  /** Records the current descriptions of some tools. Returns the error if the file cannot be written. */
  record(names: readonly string[]): string | undefined
}

/**
 * Reads the pins of a configuration, compares the tools with them, and records new tools. `servers` are all configured servers: the pins of their
 * tools are kept.
 */
export function openPins(
  { file: configuration, tools: tables, mcp }: Pick<Configuration, 'file' | 'tools' | 'mcp'>,
  tools: readonly ResolvedTool[],
  {
    servers = [],
    isRecorded = () => true,
  }: {
    servers?: readonly string[]
    /** Whether the description of a tool may be recorded. Default: always. */
    isRecorded?: (tool: string) => boolean
  } = {},
): OpenedPins {
  const isConfigured = (name: string): boolean =>
    Object.hasOwn(tables, name) ||
    Object.hasOwn(mcp.tools, name) ||
    getServerPart(name, servers) !== undefined
  const file = getPinFile(configuration)
  const read = readPins(file)
  if (!read.ok) return withoutPins(file, tools, read.message)
  const { changes, unseen: all, tools: held } = comparePins(tools, read.pins)
  const unseen = new Map([...all].filter(([name]) => isRecorded(name)))
  const write = (more: Pins): string | undefined => {
    if (more.size === 0) return undefined
    const kept = [...read.pins].filter(([name]) => isConfigured(name))
    return tryWrite(file, new Map([...kept, ...unseen, ...more]))
  }
  const failed = write(unseen)
  return {
    file,
    tools: held,
    changes,
    left: changes
      .filter(({ isPinned }) => isPinned)
      .map(({ tool }) => createUnavailableTool(tool, CHANGED)),
    warnings: failed === undefined ? [] : [failed],
    record: (names) =>
      write(
        new Map(
          changes.filter(({ tool }) => names.includes(tool)).map(({ tool, now }) => [tool, now]),
        ),
      ),
  }
}

const CHANGED =
  'pinned, and its description differs from the recorded one, so it is not available: "toolblocks tools" shows the difference, and "toolblocks tools accept NAME" accepts it'

const UNKNOWN = 'pinned, and the record of its description cannot be read, so it is not available'

/** Returns the tools if the file cannot be read. The file is not overwritten. */
function withoutPins(file: string, tools: readonly ResolvedTool[], message: string): OpenedPins {
  return {
    file,
    tools: tools.filter(({ isPinned }) => !isPinned),
    changes: [],
    left: tools
      .filter(({ isPinned }) => isPinned)
      .map(({ tool }) => createUnavailableTool(tool.name, UNKNOWN)),
    warnings: [message],
    record: () => message,
  }
}

function createUnavailableTool(tool: string, message: string): UnavailableTool {
  return { tool, reason: 'changed', path: ['tools', tool], message: message.replace('NAME', tool) }
}

function tryWrite(file: string, pins: Pins): string | undefined {
  try {
    writePins(file, pins)
    return undefined
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return `the descriptions of tools are not recorded, so changes are not detected: ${error.message}`
  }
}

/** The description of a tool when it was recorded. */
interface Pin {
  /** The hash of the definition in hexadecimal digits. The order of keys has no effect. */
  sha256: string
  definition: PinnedDefinition
}

/** Creates a pin of a tool's current description. */
export function getPin(definition: PinnedDefinition): Pin {
  return { sha256: hashJson(definition), definition }
}

/**
 * Formats a tool's description as lines, each with its path, such as `parameters.path.type: "string"`. A comparison by lines then names every place
 * that changed.
 */
export function definitionLines({ name: _name, inputSchema, ...words }: PinnedDefinition): string {
  const { properties = {}, ...keywords } = isJsonObject(inputSchema) ? inputSchema : {}
  const said = isJsonObject(inputSchema)
    ? { ...words, parameters: properties, inputSchema: keywords }
    : { ...words, inputSchema }
  return getLines('', said).join('\n')
}

/** Returns one line for a value, or one line for each line of a text. */
function getLines(place: string, value: unknown): readonly string[] {
  if (typeof value === 'string')
    return value.split('\n').map((line) => `${place}: ${JSON.stringify(line)}`)
  if (!isPlainObject(value) || Object.keys(value).length === 0)
    return [`${place}: ${JSON.stringify(value)}`]
  return Object.keys(value)
    .toSorted()
    .flatMap((key) => getLines(joinLines(place, key), getOwnField(value, key)))
}

function joinLines(place: string, key: string): string {
  const step = /^[\w$-]+$/.test(key) ? key : JSON.stringify(key)
  return place === '' ? step : `${place}.${step}`
}

/** A tool whose description differs from the recorded one. */
interface PinChange {
  tool: string
  before: Pin
  now: Pin
  /** Whether the tool is omitted until the change is accepted. */
  isPinned: boolean
}

/** Tools compared with their pins. */
interface ComparedTools {
  /** The tools that may be called. */
  tools: readonly ResolvedTool[]
  changes: readonly PinChange[]
  /** Pins of tools that are not recorded yet. */
  unseen: Pins
}

/** Compares the descriptions of tools with their pins. */
function comparePins(tools: readonly ResolvedTool[], pins: Pins): ComparedTools {
  const said = tools.flatMap(({ tool, described, isPinned }) =>
    described ? [{ tool: tool.name, now: getPin(described), isPinned }] : [],
  )
  const changes = said.flatMap((each) => {
    const before = pins.get(each.tool)
    return before && before.sha256 !== each.now.sha256 ? [{ ...each, before }] : []
  })
  const refused = new Set(changes.filter(({ isPinned }) => isPinned).map(({ tool }) => tool))
  return {
    tools: tools.filter(({ tool }) => !refused.has(tool.name)),
    changes,
    unseen: new Map(said.flatMap(({ tool, now }) => (pins.has(tool) ? [] : [[tool, now]]))),
  }
}

/** Formats the places of a description that changed, before and now. */
export function showChange(
  { tool, before, now }: PinChange,
  { colors, columns }: Terminal,
): TerminalText {
  const data = {
    path: tool,
    original: definitionLines(before.definition),
    modified: definitionLines(now.definition),
    isNew: false,
  }
  return renderTerminal(
    { content: [], structuredContent: { kind: 'diff', data }, isError: false },
    { colors, columns, maxLines: Infinity },
  )
}

/** The recorded descriptions, by tool name. */
type Pins = ReadonlyMap<string, Pin>

/** Returns the path of the file with the pins of a configuration: `toolblocks.lock.json` beside it. */
export function getPinFile(configuration: string): string {
  return join(dirname(configuration), `${basename(configuration, '.toml')}.lock.json`)
}

const VERSION = 1

/** Enough for the definitions of thousands of tools: 16 MiB. */
const MAX_PIN_BYTES = 16 * 1024 * 1024

/** Reads pins. A missing file has no pins. A damaged file is an error, because without pins every change would be accepted. */
export function readPins(file: string): { ok: true; pins: Pins } | { ok: false; message: string } {
  try {
    const document: unknown = JSON.parse(readRegularFile(file, MAX_PIN_BYTES))
    const { version, tools } = isJsonObject(document) ? document : {}
    if (version !== VERSION || !isJsonObject(tools))
      return refuse(file, `expected {"version":${VERSION},"tools":{…}}`)
    const pins = Object.entries(tools).map(([name, pin]) => [name, readPin(pin)] as const)
    const damaged = pins.find(([, pin]) => pin === undefined)
    if (damaged)
      return refuse(file, `tools.${damaged[0]}: the description does not match its sha256`)
    return { ok: true, pins: new Map(pins.flatMap(([name, pin]) => (pin ? [[name, pin]] : []))) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'ENOENT') return { ok: true, pins: new Map() }
    return refuse(file, error.message)
  }
}

/** Writes all pins, by name. Throws if the folder is not writable. */
export function writePins(file: string, pins: Pins): void {
  const tools = Object.fromEntries([...pins].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const text = `${JSON.stringify({ version: VERSION, tools }, null, 2)}\n`
  writeInOneStep({ path: file, below: dirname(file) }, text, { mode: 0o644 })
}

function readPin(value: unknown): Pin | undefined {
  const { sha256, definition } = isJsonObject(value) ? value : {}
  if (!isToolDefinition(definition)) return undefined
  const pin = getPin(definition)
  return pin.sha256 === sha256 ? pin : undefined
}

function refuse(file: string, message: string): { ok: false; message: string } {
  return {
    ok: false,
    message: `${file} cannot be used: ${message}; correct it, or delete it to record all descriptions anew`,
  }
}
