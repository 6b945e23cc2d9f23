import { basename, dirname, join } from 'node:path'
import { isJsonObject, isToolDefinition } from '@toolblocks/protocol'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { writeInOneStep } from '../../files/write-in-one-step.ts'
import { type Pin, pinOf } from './pin.ts'

/** What is recorded of tools, by name. */
export type Pins = ReadonlyMap<string, Pin>

/** The file beside a configuration that its pins are in: `toolblocks.lock.json`. */
export function pinFileOf(configuration: string): string {
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
  const pin = pinOf(definition)
  return pin.sha256 === sha256 ? pin : undefined
}

function refuse(file: string, message: string): { ok: false; message: string } {
  return {
    ok: false,
    message: `${file} cannot be used: ${message}; correct it, or delete it to record all descriptions anew`,
  }
}
