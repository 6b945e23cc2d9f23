import { getServerPart } from '@toolblocks/mcp-bridge/names'
import { type TerminalText, isToolDefinition } from '@toolblocks/protocol'
import { getOwnField, isJsonObject, isPlainObject } from '@toolblocks/protocol/json'
import { renderTerminal } from '@toolblocks/renderer'
import { basename, dirname, join } from 'node:path'
import type { Terminal } from '../../terminal/terminal.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { hashJson } from '../files/hash-json.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { writeInOneStep } from '../files/write-together.ts'
import type { PinnedDefinition } from './define-tool.ts'
import type { LeftOut } from './left-out.ts'
import type { ResolvedTool } from './resolve-tools.ts'

/** Tools held against what is recorded of them beside their configuration. */
export interface OpenedPins {
  /** Those that may be called. */
  tools: readonly ResolvedTool[]
  /** Pinned ones that have changed, or of which nobody can tell. */
  left: readonly LeftOut[]
  changes: readonly PinChange[]
  warnings: readonly string[]
  file: string
  /** Records what some tools say now; gives what went wrong, where it cannot be written. */
  record(names: readonly string[]): string | undefined
}

/** `servers` are all that are configured: pins of their tools are kept. Reads the pins of a configuration, holds tools against them, and records tools that are seen for the first time. */
export function openPins(
  { file: configuration, tools: tables, mcp }: Pick<Configuration, 'file' | 'tools' | 'mcp'>,
  tools: readonly ResolvedTool[],
  {
    servers = [],
    isRecorded = () => true,
  }: {
    servers?: readonly string[]
    /** Of others it is not written down what they say of themselves. Default: of all tools it is. */
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
  const { changes, unseen: all, tools: held } = holdPins(tools, read.pins)
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
    left: changes.filter(({ isPinned }) => isPinned).map(({ tool }) => leaveOut(tool, CHANGED)),
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
  'pinned, and it describes itself otherwise than recorded, so it is left out: "toolblocks tools" shows the difference, and "toolblocks tools accept NAME" takes it'

const UNKNOWN = 'pinned, and what is recorded of it cannot be read, so it is left out'

/** Nothing is written over a file that nobody could read. */
function withoutPins(file: string, tools: readonly ResolvedTool[], message: string): OpenedPins {
  return {
    file,
    tools: tools.filter(({ isPinned }) => !isPinned),
    changes: [],
    left: tools.filter(({ isPinned }) => isPinned).map(({ tool }) => leaveOut(tool.name, UNKNOWN)),
    warnings: [message],
    record: () => message,
  }
}

function leaveOut(tool: string, message: string): LeftOut {
  return { tool, reason: 'changed', path: ['tools', tool], message: message.replace('NAME', tool) }
}

function tryWrite(file: string, pins: Pins): string | undefined {
  try {
    writePins(file, pins)
    return undefined
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return `what tools say of themselves is not recorded, so that a change goes unseen: ${error.message}`
  }
}

/** What a tool said of itself when it was recorded. */
interface Pin {
  /** Of the definition, whatever the order of its keys, in hexadecimal digits. */
  sha256: string
  definition: PinnedDefinition
}

/** A pin of what a tool says now. */
export function getPin(definition: PinnedDefinition): Pin {
  return { sha256: hashJson(definition), definition }
}

/**
 * What a tool says of itself as lines, each with the place of what it says, so that a comparison by lines names every
 * place that changed: `parameters.path.type: "string"`.
 */
export function definitionLines({ name: _name, inputSchema, ...words }: PinnedDefinition): string {
  const { properties = {}, ...keywords } = isJsonObject(inputSchema) ? inputSchema : {}
  const said = isJsonObject(inputSchema)
    ? { ...words, parameters: properties, inputSchema: keywords }
    : { ...words, inputSchema }
  return getLines('', said).join('\n')
}

/** One line for a value, one for each line of a text. */
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

/** A tool that describes itself otherwise than recorded. */
interface PinChange {
  tool: string
  before: Pin
  now: Pin
  /** Left out until it is accepted. */
  isPinned: boolean
}

/** Tools held against what is recorded of them. */
interface HeldTools {
  /** Those that may be called. */
  tools: readonly ResolvedTool[]
  changes: readonly PinChange[]
  /** Seen for the first time. */
  unseen: Pins
}

/** Compares what tools say of themselves with their pins. */
function holdPins(tools: readonly ResolvedTool[], pins: Pins): HeldTools {
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

/** The places of a description that changed, before and now. */
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

/** What is recorded of tools, by name. */
type Pins = ReadonlyMap<string, Pin>

/** The file beside a configuration that its pins are in: `toolblocks.lock.json`. */
export function getPinFile(configuration: string): string {
  return join(dirname(configuration), `${basename(configuration, '.toml')}.lock.json`)
}

const VERSION = 1

/** Definitions of thousands of tools: 16 MiB. */
const MAX_PIN_BYTES = 16 * 1024 * 1024

/** Reads pins. No file has none; one that is damaged is told, since taking it for an empty one would accept anything. */
export function readPins(file: string): { ok: true; pins: Pins } | { ok: false; message: string } {
  try {
    const document: unknown = JSON.parse(readRegularFile(file, MAX_PIN_BYTES))
    const { version, tools } = isJsonObject(document) ? document : {}
    if (version !== VERSION || !isJsonObject(tools))
      return refuse(file, `expected {"version":${VERSION},"tools":{…}}`)
    const pins = Object.entries(tools).map(([name, pin]) => [name, readPin(pin)] as const)
    const damaged = pins.find(([, pin]) => pin === undefined)
    if (damaged)
      return refuse(file, `tools.${damaged[0]}: the description is not the one of its sha256`)
    return { ok: true, pins: new Map(pins.flatMap(([name, pin]) => (pin ? [[name, pin]] : []))) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if ('code' in error && error.code === 'ENOENT') return { ok: true, pins: new Map() }
    return refuse(file, error.message)
  }
}

/** Writes all pins, by name. Throws where the folder may not be written. */
export function writePins(file: string, pins: Pins): void {
  const tools = Object.fromEntries([...pins].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeInOneStep(file, `${JSON.stringify({ version: VERSION, tools }, null, 2)}\n`, { mode: 0o644 })
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
