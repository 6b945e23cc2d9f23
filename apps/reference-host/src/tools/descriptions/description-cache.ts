import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  isJsonObject,
  isProblem,
  isToolDescription,
  type ToolDescription,
} from '@toolblocks/protocol'
import { writeInOneStep } from '../../write-in-one-step.ts'
import type { Description } from './describe.ts'

/** A description that can be used again. */
type Known = Extract<Description, { ok: true }>

/** Descriptions by fingerprint, in one file; it may be deleted at any time. */
export interface DescriptionCache {
  read(fingerprint: string): Known | undefined
  keep(fingerprint: string, description: Known): void
  /** Writes what is new, beside what was there; the oldest go. Never throws: without it programs are asked again. */
  save(): void
}

const VERSION = 1
/** More than a workspace has tools; what was written first goes first. */
const MOST_ENTRIES = 200

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
      if (isChanged) writeEntries(file, newestLast(readEntries(file), used))
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

function newestLast(
  known: ReadonlyMap<string, unknown>,
  used: ReadonlyMap<string, Known>,
): readonly (readonly [string, unknown])[] {
  const others = [...known].filter(([fingerprint]) => !used.has(fingerprint))
  return [...others, ...used].slice(-MOST_ENTRIES)
}

function toKnown(entry: unknown): Known | undefined {
  const { tools, warnings, unusable } = isJsonObject(entry) ? entry : {}
  const isWhole =
    Array.isArray(tools) &&
    tools.every((tool): tool is ToolDescription => isToolDescription(tool)) &&
    Array.isArray(warnings) &&
    warnings.every((warning) => isProblem(warning)) &&
    areTexts(unusable)
  return isWhole ? { ok: true, tools, warnings, unusable } : undefined
}

function areTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

function writeEntries(file: string, entries: readonly (readonly [string, unknown])[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const text = JSON.stringify({ version: VERSION, entries: Object.fromEntries(entries) })
    writeInOneStep(file, text, { mode: 0o600 })
  } catch {
    // A cache that cannot be written costs time, nothing else.
  }
}
