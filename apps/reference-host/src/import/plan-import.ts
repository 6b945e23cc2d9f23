import { setImmediate } from 'node:timers/promises'
import {
  type Counts,
  findSourceFiles,
  type FormatName,
  openSource,
  type ReadConversation,
  readConversations,
} from '@toolblocks/conversation-store/import'

/** A file that holds conversations. */
export interface PlannedFile {
  path: string
  format: FormatName
  bytes: number
  conversations: readonly PlannedConversation[]
}

/** A conversation that was found; its events are read again when it is imported. */
interface PlannedConversation {
  id: string
  before: Counts
  problems: ReadConversation['problems']
}

/** A file that was named, or looked like one, and cannot be imported. */
export interface UnreadFile {
  source: string
  message: string
}

/** What an import would bring. */
export interface ImportPlan {
  files: readonly PlannedFile[]
  unread: readonly UnreadFile[]
  /** Files in folders that hold no conversations. */
  passedOver: number
}

/** How files are read. */
export interface ReadOptions {
  from?: FormatName
  signal: AbortSignal
}

/** Looks through files and folders for conversations, and counts them. Throws once the signal aborts. */
export async function planImport(
  paths: readonly string[],
  { from, signal }: ReadOptions,
): Promise<ImportPlan> {
  const files: PlannedFile[] = []
  const unread: UnreadFile[] = []
  let passedOver = 0
  for (const path of paths) {
    const found = attempt(path, () => findSourceFiles(path))
    if (!found.ok) unread.push(found)
    else
      for (const file of found.value) {
        // Files are read in one go: between them a person may have had enough.
        await setImmediate()
        signal.throwIfAborted()
        const isNamed = found.value.length === 1 && file === path
        const read = attempt(file, () => readFile(file, { from, isNamed }))
        if (!read.ok) unread.push(read)
        else if (read.value) files.push(read.value)
        else if (isNamed) unread.push({ source: file, message: unknownFormat(from) })
        else passedOver += 1
      }
  }
  return { files: withoutDoubles(files), unread, passedOver }
}

function unknownFormat(from: FormatName | undefined): string {
  return from === undefined
    ? 'it holds no conversations in a format that is known; --from names one'
    : `it holds no conversations in the format ${from}`
}

type Attempt<Value> = { ok: true; value: Value } | ({ ok: false } & UnreadFile)

/** A file that cannot be read is told, and the others are read. */
function attempt<Value>(source: string, work: () => Value): Attempt<Value> {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    return { ok: false, source, message: error instanceof Error ? error.message : String(error) }
  }
}

function readFile(
  path: string,
  { from, isNamed }: { from: FormatName | undefined; isNamed: boolean },
): PlannedFile | undefined {
  // A folder may hold other files too: only what is in the format by its own content is read in it.
  const forced = isNamed && from !== undefined ? { from } : {}
  const conversations = readConversations(openSource(path), forced)
  const format = conversations[0]?.format
  if (format === undefined || (from !== undefined && format !== from)) return undefined
  return {
    path,
    format,
    bytes: conversations.reduce((sum, { bytes }) => sum + bytes, 0),
    conversations: conversations.map(({ id, before, problems }) => ({ id, before, problems })),
  }
}

function withoutDoubles(files: readonly PlannedFile[]): readonly PlannedFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()]
}
