import { getErrorText } from '@toolblocks/protocol/internal'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { openConversations, openSource, readConversations } from '@toolblocks/session-import'
import type { FormatName } from '@toolblocks/conversation-store'
import { sanitizeTerminalLine } from '@toolblocks/renderer'
import { type SourceFeed, createSourceFeed } from '@toolblocks/viewer'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { CommandContext } from '../../terminal/command-context.ts'
import { showProgress } from '../../terminal/show-progress.ts'
import { readInWorker } from './read-in-worker.ts'
import { BEGINNING, type ReadPath, readPath } from './read-path.ts'
import { explainLoss } from './explain-loss.ts'
import { countBytes, readMarks, watchPath } from './watch-path.ts'

/** The conversations of a path, as they are known at first. */
interface OpenedPath {
  store: ConversationStore
  /** The id of the conversation, if there is only one. */
  only?: string
  /** How far the files have been read. */
  sources: SourceFeed
  /** Shows what is read later, until the signal aborts. Settles earlier if the files cannot be read, after it has reported why. */
  follow(show: Show): Promise<void>
}

/** Shows what was read in place of what is shown. */
export type Show = (read: Pick<ReadPath, 'store' | 'readStatistics'>) => void

/** Files with at most this number of bytes are read before the first page is shown; of a larger one, first its beginning. */
const AT_ONCE = 4 * 1024 * 1024

/**
 * Opens the conversations of a file or a folder, in any known format. Nothing is imported or written. A large file is read in a worker, while its
 * beginning is shown. Returns `undefined` if there are no conversations, or if the signal aborts.
 */
export async function openPath(
  path: string,
  { from, context }: { from?: FormatName; context: CommandContext },
): Promise<OpenedPath | undefined> {
  const { terminal, signal } = context
  let known: { only?: string } = {}
  const seen = readMarks(path)
  const bytes = countBytes(seen)
  const sources = createSourceFeed({ extent: 'beginning', share: 0, warnings: [] })
  const read = async (onProgress: (share: number) => void = () => {}): Promise<ReadPath> => {
    const now = countBytes(readMarks(path))
    const options = { signal, ...(from && { from }) }
    return now <= AT_ONCE
      ? await readPath(path, options)
      : await readInWorker({ path, bytes: now, onProgress, ...options })
  }
  const report = ({ warnings }: ReadPath): void => {
    for (const warning of warnings) terminal.report('warning', warning)
    sources.tell({ extent: 'whole', share: 1, warnings })
  }
  /** `first`: what was read last, from files with the marks `seen`. Default: nothing, so that the files are read as soon as they can be. */
  const watch = async (show: Show, first?: ReadPath): Promise<void> => {
    let current = first
    const showNext = (next: ReadPath): void => {
      show(next)
      sources.tell({ extent: 'whole', share: 1, warnings: next.warnings })
      if (current) void closeLater(current.store)
      current = next
    }
    await watchPath(path, {
      seen: first ? seen : new Map(),
      signal,
      read: async () => await answerTo(await read(), known.only),
      show: showNext,
    })
  }

  if (bytes <= AT_ONCE) {
    const whole = await read()
    report(whole)
    const ids = await listIds(whole.store)
    if (ids.length === 0) return undefined
    const follow: OpenedPath['follow'] = async (show) => await watch(show, whole)
    return { store: whole.store, ...findOnly(ids), sources, follow }
  }

  // This thread only serves pages, so its memory for objects that live a short time need not grow. The worker has a limit of its own.
  setFlagsFromString('--semi-space-growth-factor=1')
  const store = await openBeginning(path, from)
  const shownIds = await listIds(store)
  known = findOnly(shownIds)
  const readWhole = async (): Promise<ReadPath> => {
    const maxLength = Math.min(MAX_NAME_LENGTH, Math.max(1, terminal.columns - PROGRESS_COLUMNS))
    const name = sanitizeTerminalLine(`Reading ${basename(path)}`, { maxLength })
    const progress = showProgress(terminal, name, { signal })
    const tell = (share: number): void => {
      progress.say(`${Math.floor(share * 100)} %`)
      sources.tell({ extent: 'beginning', share, warnings: [] })
    }
    return await read(tell).finally(() => progress.end())
  }
  const follow: OpenedPath['follow'] = async (show) => {
    const whole = await readWhole().catch((error: unknown) => ({ error }))
    if (signal.aborted) return
    if ('store' in whole && (await listIds(whole.store)).length > 0) {
      const answering = await answerTo(whole, known.only)
      show(answering)
      report(answering)
      return await watch(show, answering)
    }
    const visible = shownIds.length > 0 ? 'beginning' : 'nothing'
    const problem = explainLoss(path, { seen, visible })
    if (problem !== undefined) {
      terminal.report('error', problem)
      sources.tell({ ...sources.read(), problem })
      return await watch(show)
    }
    if ('store' in whole) {
      report(whole)
      terminal.report('error', `${path} contains no conversations that can be read`)
    } else {
      const { error } = whole
      const reason = getErrorText(error)
      terminal.report('error', `${path}: ${reason}`)
    }
  }
  return { store, ...known, sources, follow }
}

const MAX_NAME_LENGTH = 60
/** Columns for the time and the share that was read, which a long name must not hide. */
const PROGRESS_COLUMNS = 18

/** Reads the complete records at the beginning of a large file. Returns an empty store for a folder, and for a file that has to be read as a whole. */
async function openBeginning(
  path: string,
  from: FormatName | undefined,
): Promise<ConversationStore> {
  try {
    const source = openSource(path, { firstBytes: BEGINNING })
    return await openConversations(readConversations(source, from ? { from } : {}))
  } catch {
    return await openConversations([])
  }
}

/** Lists the ids of at most two conversations. */
async function listIds(store: ConversationStore): Promise<readonly string[]> {
  return (await store.list({ limit: 2 })).conversations.map(({ id }) => id)
}

function findOnly(ids: readonly string[]): { only?: string } {
  const [only] = ids
  return ids.length === 1 && only !== undefined ? { only } : {}
}

/** Returns the same conversations; the only one is also known by the id that the beginning of the file had. */
async function answerTo(whole: ReadPath, known: string | undefined): Promise<ReadPath> {
  const { only } = findOnly(await listIds(whole.store))
  if (known === undefined || only === undefined || known === only) return whole
  const translate = (id: string): string => (id === known ? only : id)
  const { store, readStatistics } = whole
  return {
    ...whole,
    store: {
      ...store,
      read: async (id, request) => await store.read(translate(id), request),
      follow: (id, request) => store.follow(translate(id), request),
      search: async ({ conversation, ...request }) =>
        await store.search({
          ...request,
          ...(conversation !== undefined && { conversation: translate(conversation) }),
        }),
    },
    ...(readStatistics && {
      readStatistics: async (id: string) => await readStatistics(translate(id)),
    }),
  }
}

/** Milliseconds for the requests that a store still answers after another one is shown. */
const GRACE_MS = 2000

async function closeLater(store: ConversationStore): Promise<void> {
  await pause(GRACE_MS, undefined, { ref: false })
  await store.close()
}
