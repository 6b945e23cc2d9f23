import type { Description, WorkspaceTool } from './define-tool.ts'
import type { Fingerprint } from '@toolblocks/local-executor/internal'
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeInOneStep } from '../files/write-file.ts'

/** A description that can be cached. */
type KnownDescription = Extract<Description, { ok: true }>

/** A tool that an earlier start has defined, and the values it was created from. */
interface KnownTool {
  /** The tool's table, as JSON. */
  table: string
  /** The fingerprint of the program. */
  fingerprint: Fingerprint
  defined: WorkspaceTool
}

/** Descriptions by fingerprint and tools by name, in one file. The file may be deleted at any time. */
export interface DescriptionCache {
  read(fingerprint: string): KnownDescription | undefined
  /** Stores a description and removes the tools that were created from an older one. */
  keep(fingerprint: string, description: KnownDescription): void
  readTool(name: string): KnownTool | undefined
  keepTool(name: string, tool: KnownTool): void
  /** Adds new entries to the file; the oldest ones are removed. Never throws: without the file, programs are asked again. */
  save(): void
}

/** The format of the file. A file with another version is ignored. */
const VERSION = 5

/** More than the number of tools in a workspace. The oldest entries are removed first. */
const MAX_ENTRIES = 200

/** Descriptions by fingerprint and tools by name. Each is parsed when it is needed. */
interface Entries {
  descriptions(): ReadonlyMap<string, KnownDescription>
  tools(): ReadonlyMap<string, KnownTool>
}

/** Opens the cache of a workspace. A file that cannot be read, or that another program has written, counts as empty. */
export function openDescriptionCache(file: string): DescriptionCache {
  let known: Entries | undefined
  const kept = {
    descriptions: new Map<string, KnownDescription>(),
    tools: new Map<string, KnownTool>(),
  }
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
      // Another process may have written the file meanwhile.
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
 * Reads a line of descriptions and a line of tools below the hash of both. If the hash fits, this program has written the content, so its shape is
 * not checked.
 */
function readEntries(file: string): Entries {
  try {
    const text = readFileSync(file, 'utf8')
    const [proof = '', descriptions = '', tools = ''] = text.split('\n', 3)
    if (proof !== hashText(text.slice(proof.length + 1))) return NOTHING
    return {
      descriptions: readOnce<KnownDescription>(descriptions),
      tools: readOnce<KnownTool>(tools),
    }
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
    writeInOneStep({ path: file }, `${hashText(text)}\n${text}`, { mode: 0o600 })
  } catch {
    // Without a cache, starts are slower but still correct.
  }
}
