import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { findSourceFiles } from '@toolblocks/session-import'

/** Milliseconds between two looks at the files. */
const PAUSE_MS = 1000
/** A pause is at least this many times as long as the last look or reading took. */
const REST = 5

/** What tells a changed file from an unchanged one: its size in bytes, its time and its permissions. */
interface Mark {
  size: number
  mtimeMs: number
  mode: number
}

/** The marks of files, by path. */
export type FileMarks = ReadonlyMap<string, Mark>

/** Reads the marks of a file, or of the files of a folder that may have conversations. A path that cannot be read has none. */
export function readMarks(path: string): FileMarks {
  try {
    return new Map(findSourceFiles(path).files.map((file) => [file, readMark(file)]))
  } catch {
    return new Map()
  }
}

const MISSING: Mark = { size: 0, mtimeMs: 0, mode: 0 }

function readMark(file: string): Mark {
  const { size, mtimeMs, mode } = statSync(file, { throwIfNoEntry: false }) ?? MISSING
  return { size, mtimeMs, mode }
}

/** Returns the size of all files together. */
export function countBytes(marks: FileMarks): number {
  return [...marks.values()].reduce((sum, { size }) => sum + size, 0)
}

/**
 * Shows what is read from a path whenever its files have changed, until the signal aborts. `seen`: the marks of what is shown already. While nothing can
 * be read, for example because a program is replacing a file, the last store stays.
 */
export async function watchPath<Read extends { store: ConversationStore }>(
  path: string,
  {
    seen,
    signal,
    read,
    show,
  }: {
    seen: FileMarks
    signal: AbortSignal
    read: () => Promise<Read>
    show: (read: Read) => void
  },
): Promise<void> {
  let known = seen
  let tookMs = 0
  while (!signal.aborted) {
    const waitMs = Math.max(PAUSE_MS, REST * tookMs)
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined)
    const startedAt = performance.now()
    const marks = readMarks(path)
    if (!signal.aborted && !isSame(marks, known)) {
      known = marks
      const latest = await read().catch(() => undefined)
      if (latest && (await hasConversations(latest.store))) show(latest)
    }
    tookMs = performance.now() - startedAt
  }
}

async function hasConversations(store: ConversationStore): Promise<boolean> {
  return (await store.list({ limit: 1 })).conversations.length > 0
}

/** Whether no file has changed. */
export function isSame(one: FileMarks, other: FileMarks): boolean {
  return (
    one.size === other.size &&
    [...one].every(([file, { size, mtimeMs, mode }]) => {
      const known = other.get(file)
      return known?.size === size && known.mtimeMs === mtimeMs && known.mode === mode
    })
  )
}
