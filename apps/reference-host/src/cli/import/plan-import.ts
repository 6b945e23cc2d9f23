import { getErrorText } from '@toolblocks/protocol/internal'
import { explainRead } from '../../workspace/files/explain-read.ts'
import { explainUnknownFile } from './explain-unknown-file.ts'
import { readFile } from './read-file.ts'
import { setImmediate } from 'node:timers/promises'
import {
  type ConversationCounts,
  findSourceFiles,
  type ReadConversation,
  type ReadConversationsOptions,
} from '@toolblocks/session-import'
import type { FormatName } from '@toolblocks/conversation-store'

/** A file with conversations. */
export interface PlannedFile {
  path: string
  format: FormatName
  bytes: number
  conversations: readonly PlannedConversation[]
}

/** A conversation that was found. Its events are read again when it is imported. */
interface PlannedConversation {
  id: string
  before: ConversationCounts
  problems: ReadConversation['problems']
}

/** A file that was named, or looked like conversations, and cannot be imported. */
interface UnreadFile {
  source: string
  message: string
}

/** The conversations that an import would store, with their files. */
export interface ImportPlan {
  files: readonly PlannedFile[]
  unread: readonly UnreadFile[]
  /** The number of files in folders that hold no conversations. */
  passedOver: number
}

/** The options of how files are read. */
export interface ReadOptions extends Omit<ReadConversationsOptions, 'from'> {
  from?: FormatName
  signal: AbortSignal
  /** Called with the conversations of each file that is in the plan, with their events. Default: the events are only counted. */
  keep?: (conversations: readonly ReadConversation[]) => void
}

/** Finds and counts the conversations in files and folders. Throws when the signal aborts. */
export async function planImport(
  paths: readonly string[],
  { from, signal, ...reading }: ReadOptions,
): Promise<ImportPlan> {
  const files: PlannedFile[] = []
  const unread: UnreadFile[] = []
  let passedOver = 0
  for (const path of paths) {
    const sources = await attempt(
      path,
      async () => findSourceFiles(path),
      (error) => `it ${explainRead(error)}`,
    )
    if (!sources.ok) unread.push(sources)
    else {
      const { files: all, skipped } = sources.value
      unread.push(...skipped.map(({ path: source, message }) => ({ source, message })))
      for (const file of all) {
        // A file is read without a pause, so Ctrl-C is handled between files.
        await setImmediate()
        signal.throwIfAborted()
        const isNamed = all.length === 1 && file === path
        const read = await attempt(
          file,
          async () => await planFile(file, { from, isNamed, signal, ...reading }),
        )
        signal.throwIfAborted()
        if (!read.ok) unread.push(read)
        else if (read.value) files.push(read.value)
        else if (isNamed) unread.push({ source: file, message: await unknownFormat(file, from) })
        else passedOver += 1
      }
    }
  }
  return { files: removeDuplicates(files), unread, passedOver }
}

async function unknownFormat(file: string, from: FormatName | undefined): Promise<string> {
  const what = await explainUnknownFile(file)
  if (what !== undefined) return what
  return from === undefined
    ? 'it has no conversations in a known format; set the format with --from'
    : `it has no conversations in the format ${from}`
}

type Attempt<Value> = { ok: true; value: Value } | ({ ok: false } & UnreadFile)

/** Reports a file that cannot be read, so that the others are still read. */
async function attempt<Value>(
  source: string,
  work: () => Promise<Value>,
  explain: (error: unknown) => string = getErrorText,
): Promise<Attempt<Value>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, source, message: explain(error) }
  }
}

async function planFile(
  path: string,
  {
    from,
    isNamed,
    keep,
    ...reading
  }: Omit<ReadOptions, 'from'> & { from: FormatName | undefined; isNamed: boolean },
): Promise<PlannedFile | undefined> {
  // A folder may hold other files too. Only files whose content is in the format are read.
  const forced = isNamed && from !== undefined ? { from } : {}
  const what = keep ? 'events' : 'counts'
  const conversations = await readFile(path, { ...forced, ...reading, what })
  const format = conversations[0]?.format
  if (format === undefined || (from !== undefined && format !== from)) return undefined
  keep?.(conversations)
  return {
    path,
    format,
    bytes: conversations.reduce((sum, { bytes }) => sum + bytes, 0),
    conversations: conversations.map(({ id, before, problems }) => ({ id, before, problems })),
  }
}

function removeDuplicates(files: readonly PlannedFile[]): readonly PlannedFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()]
}
