import type { ConversationStore } from '@toolblocks/conversation-store'
import {
  type ReadConversation,
  detectFormat,
  openConversations,
  openSource,
} from '@toolblocks/session-import'
import type { FormatName } from '@toolblocks/conversation-store'
import type { ReadStatistics } from '@toolblocks/viewer/reading'
import { statSync } from 'node:fs'
import { planImport, type ReadOptions } from '../import/plan-import.ts'

/** What was read from a path, and what a person should know about it. */
export interface ReadPath {
  store: ConversationStore
  /** Computes the statistics of a conversation in another thread. Default: this thread has the events. */
  readStatistics?: ReadStatistics
  /** Files that were not read, and parts of files that were changed or omitted, each in one line. */
  warnings: readonly string[]
}

/** The maximum number of warnings of one conversation that are listed one by one. */
const MAX_WARNINGS = 5

/** Reads the conversations of a file or a folder, in any known format. Nothing is imported or written. */
export async function readPath(
  path: string,
  options: Omit<ReadOptions, 'keep'>,
): Promise<ReadPath> {
  const conversations: ReadConversation[] = []
  const keep = (batch: readonly ReadConversation[]): void => void conversations.push(...batch)
  const { unread } = await planImport([path], { ...options, keep })
  const warnings = [
    ...unread.map(({ source, message }) => `${source}: ${message}`),
    ...(options.from === undefined || conversations.length === 0
      ? []
      : describeMisfit(path, options.from)),
    ...conversations.flatMap(describeProblems),
  ]
  return { store: await openConversations(conversations, { originals: 'omit' }), warnings }
}

function describeProblems({ source, problems }: ReadConversation): readonly string[] {
  const more = problems.length - MAX_WARNINGS
  return [
    ...problems
      .slice(0, MAX_WARNINGS)
      .map(({ path, message }) => `${source}, record ${path.slice(1)}: ${message}`),
    ...(more > 0 ? [`${source}: ${more} more; "import --dry-run --output json" lists all`] : []),
  ]
}

/** Number of bytes at the beginning of a file that are read at once, before the rest. */
export const BEGINNING = 1024 * 1024

/** Says that a file is not in the format that was given for it. */
function describeMisfit(path: string, from: FormatName): readonly string[] {
  if (!statSync(path).isFile()) return []
  const detected = detectFormat(openSource(path, { firstBytes: BEGINNING }))
  if (detected === undefined || detected === from) return []
  return [`${path}: it was read as ${from}, but its content is ${detected}; try it without --from`]
}
