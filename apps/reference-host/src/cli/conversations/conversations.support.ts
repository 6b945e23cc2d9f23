import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type ConversationEvent,
  type ConversationStore,
  openStore,
} from '@toolblocks/conversation-store'
import { afterEach, beforeEach } from 'vitest'

export { TWO_TURNS } from '../../../../../packages/viewer/src/two-turns.support.ts'

/** A workspace whose conversations are in `kept.db`. */
export interface ConversationWorkspace {
  /** The folder of the workspace, another one for each test. */
  readonly folder: string
  /** The file of the store. */
  readonly file: string
  keep(id: string, ...events: readonly ConversationEvent[]): Promise<void>
  use<Value>(work: (store: ConversationStore) => Promise<Value>): Promise<Value>
}

/** Creates a workspace before each test and removes it afterwards. */
export function useConversations(): ConversationWorkspace {
  let folder = ''
  const file = (): string => join(folder, 'kept.db')
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolblocks-conversations-'))
    await writeFile(join(folder, 'toolblocks.toml'), '[store]\nurl = "sqlite:kept.db"\n')
  })
  afterEach(async () => rm(folder, { recursive: true }))
  const use: ConversationWorkspace['use'] = async (work) => {
    let minute = 0
    // Every append is one minute later than the one before.
    const now = (): Date => new Date(Date.UTC(2026, 4, 6, 7, minute++))
    const store = await openStore(`sqlite:${file()}`, { now })
    return await work(store).finally(() => store.close())
  }
  return {
    get folder() {
      return folder
    },
    get file() {
      return file()
    },
    use,
    keep: async (id, ...events) =>
      await use(async (store) => {
        for (const [index, event] of events.entries()) await store.append(id, index, [event])
      }),
  }
}

/** Changes the time of the second event of a conversation in the file. */
export function damage(file: string, id: string): void {
  const database = new DatabaseSync(file)
  const change =
    "UPDATE events SET at = '2026-01-01T00:00:00.000Z' WHERE seq = 2 AND conversation = ?"
  database.prepare(change).run(id)
  database.close()
}
