import type { Description, DefinedTool } from './define-tool.ts'
import type { Fingerprint } from '@toolblocks/local-executor'
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeInOneStep } from '../files/write-together.ts'

/** A description that can be used again. */
type Known = Extract<Description, { ok: true }>

/** A tool that an earlier start has defined, and what it was made of. */
interface KnownTool {
  /** The table, as JSON. */
  table: string
  /** Of what the program is. */
  fingerprint: Fingerprint
  defined: DefinedTool
}

/** Descriptions by fingerprint and tools by name, in one file; it may be deleted at any time. */
export interface DescriptionCache {
  read(fingerprint: string): Known | undefined
  /** Forgets the tools that were made of another description of it. */
  keep(fingerprint: string, description: Known): void
  readTool(name: string): KnownTool | undefined
  keepTool(name: string, tool: KnownTool): void
  /** Writes what is new, beside what was there; the oldest go. Never throws: without it programs are asked again. */
  save(): void
}

/** Another one means another shape of what is kept. */
const VERSION = 5

/** More than a workspace has tools; what was written first goes first. */
const MAX_ENTRIES = 200

/** By fingerprint, and by name; each is read when it is needed. */
interface Entries {
  descriptions(): ReadonlyMap<string, Known>
  tools(): ReadonlyMap<string, KnownTool>
}

/** Opens the cache of a workspace; a file that cannot be read, or that something else has written, is an empty one. */
export function openDescriptionCache(file: string): DescriptionCache {
  let known: Entries | undefined
  const kept = { descriptions: new Map<string, Known>(), tools: new Map<string, KnownTool>() }
  let isChanged = false
  const read = (): Entries => (known ??= readEntries(file))
  return {
    read: (fingerprint) =>
      kept.descriptions.get(fingerprint) ?? read().descriptions().get(fingerprint),
    keep(fingerprint, description) {
      kept.descriptions.set(fingerprint, description)
      for (const [name, tool] of kept.tools)
        if (tool.fingerprint.key === fingerprint) kept.tools.delete(name)
      isChanged = true
    },
    readTool: (name) => kept.tools.get(name) ?? read().tools().get(name),
    keepTool(name, tool) {
      kept.tools.set(name, tool)
      isChanged = true
    },
    save() {
      if (!isChanged) return
      // Another process may have written meanwhile.
      const now = readEntries(file)
      const isGood = ({ fingerprint }: KnownTool): boolean =>
        !kept.descriptions.has(fingerprint.key)
      const tools = new Map([...now.tools()].filter(([, tool]) => isGood(tool)))
      writeEntries(file, [
        newestLast(now.descriptions(), kept.descriptions),
        newestLast(tools, kept.tools),
      ])
    },
  }
}

/**
 * A line of descriptions and a line of tools behind the hash of both: what it proves whole was written here and needs no look at
 * its shape.
 */
function readEntries(file: string): Entries {
  try {
    const text = readFileSync(file, 'utf8')
    const [proof = '', descriptions = '', tools = ''] = text.split('\n', 3)
    if (proof !== hashText(text.slice(proof.length + 1))) return NOTHING
    return { descriptions: readOnce<Known>(descriptions), tools: readOnce<KnownTool>(tools) }
  } catch {
    return NOTHING
  }
}

function readOnce<Entry>(line: string): () => ReadonlyMap<string, Entry> {
  let entries: ReadonlyMap<string, Entry> | undefined
  return () => (entries ??= new Map(Object.entries<Entry>(JSON.parse(line))))
}

const NOTHING: Entries = { descriptions: () => new Map(), tools: () => new Map() }

function hashText(text: string): string {
  return hash('sha256', `${VERSION} ${text}`)
}

function newestLast<Entry>(
  known: ReadonlyMap<string, Entry>,
  kept: ReadonlyMap<string, Entry>,
): ReadonlyMap<string, Entry> {
  const others = [...known].filter(([key]) => !kept.has(key))
  return new Map([...others, ...kept].slice(-MAX_ENTRIES))
}

function writeEntries(file: string, lines: readonly ReadonlyMap<string, unknown>[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const text = lines.map((entries) => `${JSON.stringify(Object.fromEntries(entries))}\n`).join('')
    writeInOneStep(file, `${hashText(text)}\n${text}`, { mode: 0o600 })
  } catch {
    // A cache that cannot be written costs time, nothing else.
  }
}
