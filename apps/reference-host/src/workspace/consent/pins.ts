import { type TerminalText, isToolDefinition, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, isPlainObject } from '@toolblocks/protocol/internal'
import { renderTerminal } from '@toolblocks/renderer'
import { basename, dirname, join } from 'node:path'
import type { Terminal } from '../../terminal/terminal.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { hashJson } from '../files/hash-json.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { writeInOneStep } from '../files/write-file.ts'
import { getFileLock, type LockWait, withLock } from '../locks/with-lock.ts'
import type { PinnedDefinition } from '../tools/define-tool.ts'
import type { UnavailableTool } from '../tools/unavailable-tool.ts'
import type { ResolvedTool } from '../tools/resolve-tools.ts'

/** Tools compared with the descriptions that are recorded beside their configuration. */
export interface OpenedPins {
  /** The tools that may be called. */
  tools: readonly ResolvedTool[]
  /** Pinned tools that have changed, or whose record cannot be read. */
  left: readonly UnavailableTool[]
  changes: readonly PinChange[]
  warnings: readonly string[]
  file: string
  /** Records the current descriptions of some tools. Returns the error if the file cannot be written. Rejects if the signal ends the wait for others. */
  record(names: readonly string[]): Promise<string | undefined>
}

/** How descriptions are recorded. */
interface PinOptions {
  /** Reads which tools are configured now, also by other processes. The pins of all others are removed when pins are written. */
  readConfigured: () => Promise<(tool: string) => boolean>
  /** Whether the description of a tool may be recorded. Default: always. */
  isRecorded?: (tool: string) => boolean
  wait?: LockWait
}

/** Reads the pins of a configuration, compares the tools with them, and records new tools. Pins that other processes write at the same time are kept. */
export async function openPins(
  { file: configuration }: Pick<Configuration, 'file'>,
  tools: readonly ResolvedTool[],
  { readConfigured, isRecorded = () => true, wait = {} }: PinOptions,
): Promise<OpenedPins> {
  const file = getPinFile(configuration)
  const read = readPins(file)
  if (!read.ok) return withoutPins(file, tools, read.message)
  let { pins } = read

  /** Adds pins to those that stand in the file now. Returns why the file was not written. */
  async function add(find: (current: Pins) => Pins): Promise<string | undefined> {
    try {
      return await withLock(getFileLock(file), wait, async () => {
        const current = readPins(file)
        if (!current.ok) return current.message
        const isConfigured = await readConfigured()
        const kept = [...current.pins].filter(([name]) => isConfigured(name))
        writePins(file, new Map([...kept, ...find(current.pins)]))
        ;({ pins } = current)
        return undefined
      })
    } catch (error) {
      if (wait.signal?.aborted || !(error instanceof Error && 'code' in error)) throw error
      return `the descriptions of tools are not recorded, so changes are not detected: ${error.message}`
    }
  }

  const findUnseen = (current: Pins): Pins =>
    new Map([...comparePins(tools, current).unseen].filter(([name]) => isRecorded(name)))

  const failed =
    findUnseen(pins).size === 0
      ? undefined
      : await add(findUnseen).catch((error: unknown) => {
          // A command that was ended records nothing.
          if (wait.signal?.aborted) return undefined
          throw error
        })
  const { changes, tools: held } = comparePins(tools, pins)
  const changed = changes.filter(({ isPinned }) => isPinned)
  return {
    file,
    tools: held,
    changes,
    left: changed.map(({ tool }) => createUnavailableTool(tool, CHANGED)),
    warnings: failed === undefined ? [] : [failed],
    record: async (names) => {
      const accepted = changes.filter(({ tool }) => names.includes(tool))
      if (accepted.length === 0) return undefined
      return await add(() => new Map(accepted.map(({ tool, now }) => [tool, now])))
    },
  }
}

const CHANGED =
  'pinned, and its description differs from the recorded one, so it is not available: "toolblocks tools" shows the difference, and "toolblocks tools accept NAME" accepts it'

const UNKNOWN = 'pinned, and the record of its description cannot be read, so it is not available'

/** Returns the tools if the file cannot be read. The file is not overwritten. */
function withoutPins(file: string, tools: readonly ResolvedTool[], message: string): OpenedPins {
  const pinned = tools.filter(({ isPinned }) => isPinned)
  return {
    file,
    tools: tools.filter(({ isPinned }) => !isPinned),
    changes: [],
    left: pinned.map(({ tool }) => createUnavailableTool(tool.name, UNKNOWN)),
    warnings: [message],
    record: async () => message,
  }
}

function createUnavailableTool(tool: string, message: string): UnavailableTool {
  return { tool, reason: 'changed', path: ['tools', tool], message: message.replace('NAME', tool) }
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
export function definitionLines({ name: _name, inputSchema, ...fields }: PinnedDefinition): string {
  const { properties = {}, ...keywords } = isJsonObject(inputSchema) ? inputSchema : {}
  const definition = isJsonObject(inputSchema)
    ? { ...fields, parameters: properties, inputSchema: keywords }
    : { ...fields, inputSchema }
  return getLines('', definition).join('\n')
}

/** Returns one line for a value, or one line for each line of a text. */
function getLines(path: string, value: unknown): readonly string[] {
  if (typeof value === 'string')
    return value.split('\n').map((line) => `${path}: ${JSON.stringify(line)}`)
  if (!isPlainObject(value) || Object.keys(value).length === 0)
    return [`${path}: ${JSON.stringify(value)}`]
  return Object.keys(value)
    .toSorted()
    .flatMap((key) => getLines(joinLines(path, key), getOwnField(value, key)))
}

function joinLines(path: string, key: string): string {
  const step = /^[\w$-]+$/.test(key) ? key : JSON.stringify(key)
  return path === '' ? step : `${path}.${step}`
}

/** A tool whose description differs from the recorded one. */
interface PinChange {
  tool: string
  before: Pin
  now: Pin
  /** Whether the tool is omitted until the change is accepted. */
  isPinned: boolean
}

/** Compares the descriptions of tools with their pins. `unseen`: the pins of tools that are not recorded yet. */
function comparePins(
  tools: readonly ResolvedTool[],
  pins: Pins,
): Pick<OpenedPins, 'tools' | 'changes'> & { unseen: Pins } {
  const currentPins = tools.flatMap(({ tool, described, isPinned }) =>
    described ? [{ tool: tool.name, now: getPin(described), isPinned }] : [],
  )
  const changes = currentPins.flatMap((each) => {
    const before = pins.get(each.tool)
    return before && before.sha256 !== each.now.sha256 ? [{ ...each, before }] : []
  })
  const refused = new Set(changes.filter(({ isPinned }) => isPinned).map(({ tool }) => tool))
  return {
    tools: tools.filter(({ tool }) => !refused.has(tool.name)),
    changes,
    unseen: new Map(currentPins.flatMap(({ tool, now }) => (pins.has(tool) ? [] : [[tool, now]]))),
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
