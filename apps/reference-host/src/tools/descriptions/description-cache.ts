import { hash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeInOneStep } from '../../files/write-in-one-step.ts'
import type { Description } from './describe.ts'
import type { KnownTool } from './known-tool.ts'

/** A description that can be used again. */
type Known = Extract<Description, { ok: true }>

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
const VERSION = 2
/** More than a workspace has tools; what was written first goes first. */
const MOST_ENTRIES = 200

/** By fingerprint, and by name. */
interface Entries {
  readonly descriptions: ReadonlyMap<string, Known>
  readonly tools: ReadonlyMap<string, KnownTool>
}

/** Opens the cache of a workspace; a file that cannot be read, or that something else has written, is an empty one. */
export function openDescriptionCache(file: string): DescriptionCache {
  let known: Entries | undefined
  const kept = { descriptions: new Map<string, Known>(), tools: new Map<string, KnownTool>() }
  let isChanged = false
  const read = (): Entries => (known ??= readEntries(file))
  return {
    read: (fingerprint) =>
      kept.descriptions.get(fingerprint) ?? read().descriptions.get(fingerprint),
    keep(fingerprint, description) {
      kept.descriptions.set(fingerprint, description)
      for (const [name, tool] of kept.tools)
        if (tool.fingerprint === fingerprint) kept.tools.delete(name)
      isChanged = true
    },
    readTool: (name) => kept.tools.get(name) ?? read().tools.get(name),
    keepTool(name, tool) {
      kept.tools.set(name, tool)
      isChanged = true
    },
    save() {
      if (!isChanged) return
      // Another process may have written meanwhile.
      const now = readEntries(file)
      const tools = [...now.tools].filter(([, tool]) => !kept.descriptions.has(tool.fingerprint))
      writeEntries(file, {
        descriptions: newestLast([...now.descriptions], kept.descriptions),
        tools: newestLast(tools, kept.tools),
      })
    },
  }
}

/** The first line is the hash of the second: what it proves whole was written here and needs no look at its shape. */
function readEntries(file: string): Entries {
  try {
    const [proof, text = ''] = readFileSync(file, 'utf8').split('\n', 2)
    if (proof !== hashOf(text)) return NOTHING
    const { descriptions, tools } = JSON.parse(text)
    return {
      descriptions: new Map(Object.entries<Known>(descriptions)),
      tools: new Map(Object.entries<KnownTool>(tools)),
    }
  } catch {
    return NOTHING
  }
}

const NOTHING: Entries = { descriptions: new Map(), tools: new Map() }

function hashOf(text: string): string {
  return hash('sha256', `${VERSION} ${text}`)
}

function newestLast<Entry>(
  known: readonly (readonly [string, Entry])[],
  kept: ReadonlyMap<string, Entry>,
): ReadonlyMap<string, Entry> {
  const others = known.filter(([key]) => !kept.has(key))
  return new Map([...others, ...kept].slice(-MOST_ENTRIES))
}

function writeEntries(file: string, { descriptions, tools }: Entries): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const text = JSON.stringify({
      descriptions: Object.fromEntries(descriptions),
      tools: Object.fromEntries(tools),
    })
    writeInOneStep(file, `${hashOf(text)}\n${text}\n`, { mode: 0o600 })
  } catch {
    // A cache that cannot be written costs time, nothing else.
  }
}
