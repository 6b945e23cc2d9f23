import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isToolDescription, type ToolDescription } from '@toolblocks/protocol'
import type { Description } from './describe.ts'

/** A description that can be used again. */
type Known = Extract<Description, { ok: true }>

/** Descriptions by fingerprint, in one file; it may be deleted at any time. */
export interface DescriptionCache {
  read(fingerprint: string): Known | undefined
  keep(fingerprint: string, description: Known): void
  /** Writes what was read or kept, for no other is used any more. Never throws: without it programs are asked again. */
  save(): void
}

const VERSION = 1

/** Opens the cache of a workspace; a file that cannot be read is an empty one. */
export function openDescriptionCache(file: string): DescriptionCache {
  let known: ReadonlyMap<string, unknown> | undefined
  const used = new Map<string, Known>()
  let isChanged = false
  return {
    read(fingerprint) {
      known ??= readEntries(file)
      const entry = used.get(fingerprint) ?? toKnown(known.get(fingerprint))
      if (entry) used.set(fingerprint, entry)
      return entry
    },
    keep(fingerprint, description) {
      used.set(fingerprint, description)
      isChanged = true
    },
    save() {
      if (isChanged) writeEntries(file, used)
    },
  }
}

function readEntries(file: string): ReadonlyMap<string, unknown> {
  try {
    const { version, entries } = JSON.parse(readFileSync(file, 'utf8'))
    return new Map(version === VERSION ? Object.entries(Object(entries)) : [])
  } catch {
    return new Map()
  }
}

function toKnown(entry: unknown): Known | undefined {
  const { tools, warnings, unusable } = Object(entry)
  const isWhole =
    Array.isArray(tools) &&
    tools.every((tool): tool is ToolDescription => isToolDescription(tool)) &&
    Array.isArray(warnings) &&
    typeof unusable === 'object'
  return isWhole ? { ok: true, tools, warnings, unusable } : undefined
}

/** In one step, so that a host that starts at the same time reads the old file or the new one. */
function writeEntries(file: string, entries: ReadonlyMap<string, Known>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const partial = `${file}.${process.pid}`
    const text = JSON.stringify({ version: VERSION, entries: Object.fromEntries(entries) })
    writeFileSync(partial, text, { mode: 0o600 })
    renameSync(partial, file)
  } catch {
    // A cache that cannot be written costs time, nothing else.
  }
}
