import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach } from 'vitest'
import type { ConversationEvent } from '../../events/conversation-event.ts'
import { openStore } from '../../open-store.ts'

/** The folder of the running test, and the file of its store. */
export let folder: string
export let file: string

/** Creates a separate folder for each test of a file. */
export function useDatabaseFile(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolblocks-store-'))
    file = join(folder, 'c.db')
  })
  afterEach(async () => rm(folder, { recursive: true }))
}

export const turns = (count: number): ConversationEvent[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'turn_start', turn: index }))

export async function written(count: number, conversation = 'c'): Promise<void> {
  const store = await openStore(`sqlite:${file}`)
  await store.append(conversation, 0, turns(count))
  await store.close()
}

/** Changes the file without the store. */
export function tamper(sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}
