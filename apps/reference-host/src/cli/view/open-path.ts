import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import type { FormatName } from '@toolblocks/conversation-store/import'
import { planImport, type UnreadFile } from '../import/plan-import.ts'
import { runImport } from '../import/run-import.ts'

/** Whether what was typed names a file or a folder rather than a conversation. */
export function isPath(folder: string, typed: string): boolean {
  return existsSync(resolve(folder, typed))
}

/** Whether what was typed can only have been meant as a path: no id has a folder or the end of a file in it. */
export function isLikePath(typed: string): boolean {
  return /^[~.]?[\\/]|[\\/].*\.\w+$|\.(?:jsonl?|db|sqlite3?|md)$/.test(typed)
}

/** Conversations of a file or a folder, and what in it cannot be read. */
export interface OpenPath {
  store: ConversationStore
  unread: readonly UnreadFile[]
}

/** Reads the conversations of a file or a folder, of whatever program they are, into memory: nothing is imported, nothing is written. */
export async function openPath(
  path: string,
  { from, signal }: { from?: FormatName; signal: AbortSignal },
): Promise<OpenPath> {
  const { files, unread } = await planImport([path], { ...(from && { from }), signal })
  const store = await openStore('memory:')
  for await (const _ of runImport(store, files, signal));
  return { store, unread }
}
