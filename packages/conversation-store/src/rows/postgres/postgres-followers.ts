import { createBell } from '../../follow/create-bell.ts'
import { waitUntil } from '../../follow/wait-until.ts'
import type { EventRows } from '../event-rows.ts'
import { hash } from '../hash.ts'
import { readHead } from './postgres-conversations.ts'
import type { PostgresClient, Query } from './postgres-client.ts'

const CHANNEL = 'toolblocks_appended'
/** What is told on a connection that broke is asked for after this time. */
const ASKED_EVERY_MS = 1000

/** Tells the followers of a conversation, once its transaction is done. */
export async function tellAppended(query: Query, conversation: string): Promise<void> {
  await query('SELECT pg_notify($1, $2)', [CHANNEL, nameOf(conversation)])
}

/** Waits for appends of any host, on one connection for all followers of this one; it is made with the first. */
export function createFollowers(
  client: PostgresClient,
): Pick<EventRows, 'appended'> & { close(): void } {
  const bell = createBell()
  let listening: Promise<{ leave(): void }> | undefined
  let isClosed = false

  async function listen(): Promise<void> {
    listening ??= client.listen(CHANNEL, {
      told: bell.ring,
      lost: () => {
        listening = undefined
        bell.ringAll()
      },
    })
    await listening.catch(() => {
      listening = undefined
    })
  }

  return {
    appended: async (conversation, after, signal) => {
      await listen()
      // Whoever is told between the question and the answer hears it: they wait already.
      const isThere = async (): Promise<boolean> => {
        const { seq } = await readHead(client.query, conversation)
        return seq > after
      }
      const heard = new AbortController()
      const told = bell.next(nameOf(conversation), AbortSignal.any([signal, heard.signal]))
      if (listening && !(await isThere()) && !isClosed) await told
      heard.abort()
      await waitUntil(isThere, { everyMs: ASKED_EVERY_MS, signal })
    },
    close: () => {
      isClosed = true
      bell.ringAll()
      void listening?.then(({ leave }) => leave())
    },
  }
}

/** What is told is short, and the name of a conversation is not everybody's to read. */
function nameOf(conversation: string): string {
  return Buffer.from(hash(conversation)).toString('hex')
}
