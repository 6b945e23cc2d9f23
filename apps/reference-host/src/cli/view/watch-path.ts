import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { findSourceFiles } from '@toolblocks/conversation-store/import'

/** Milliseconds between two looks at the files. */
const PAUSE_MS = 1000
/** A pause is at least this many times as long as the last look or reading took. */
const REST = 5

/** What tells a changed file from an unchanged one: its size and its time, by path. */
type Marks = ReadonlyMap<string, string>

/** Reads the marks of a file, or of the files of a folder that may have conversations. A path that cannot be read has none. */
export function readMarks(path: string): Marks {
  try {
    return new Map(findSourceFiles(path).files.map((file) => [file, readMark(file)]))
  } catch {
    return new Map()
  }
}

function readMark(file: string): string {
  const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return `${size} ${mtimeMs}`
}

/**
 * Shows what is read from a path whenever its files have changed, until the signal aborts. `seen`: the marks of what is shown already. While nothing can
 * be read, for example because a program is replacing a file, the last store stays.
 */
export async function watchPath(
  path: string,
  {
    seen,
    signal,
    read,
    show,
  }: {
    seen: Marks
    signal: AbortSignal
    read: () => Promise<{ store: ConversationStore }>
    show: (store: ConversationStore) => void
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
      const found = await read().catch(() => undefined)
      if (found && (await hasConversations(found.store))) show(found.store)
    }
    tookMs = performance.now() - startedAt
  }
}

async function hasConversations(store: ConversationStore): Promise<boolean> {
  return (await store.list({ limit: 1 })).conversations.length > 0
}

function isSame(one: Marks, other: Marks): boolean {
  return one.size === other.size && [...one].every(([file, mark]) => other.get(file) === mark)
}
