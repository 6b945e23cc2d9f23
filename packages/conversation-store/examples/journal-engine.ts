import { appendFile, readFile } from 'node:fs/promises'
import type { ConversationStore } from '@toolblocks/conversation-store'
import {
  createMemoryRows,
  createStore,
  type EventRows,
} from '@toolblocks/conversation-store/engine'

/** Opens a store that keeps its rows in memory and writes every change as a line of a file. */
export async function openJournal(file: string, now?: () => Date): Promise<ConversationStore> {
  return createStore(await openJournalRows(file), now ? { now } : {})
}

/** Repeats the changes of the file, then writes each new change to it once the change is done. */
async function openJournalRows(file: string): Promise<EventRows> {
  const { blobs, documents, ...rows } = createMemoryRows()
  const journal = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  for (const line of journal.filter((each) => each !== '')) {
    const { change, given } = JSON.parse(line, reviveBytes)
    await Reflect.apply(Reflect.get({ ...documents, ...rows, ...blobs }, change), undefined, given)
  }
  let last: Promise<unknown> = Promise.resolve()

  /** Runs one change after the other, so that the lines are in the order in which the changes were done. */
  function journaled<Given extends unknown[], Done>(
    change: string,
    work: (...given: Given) => Promise<Done>,
  ): (...given: Given) => Promise<Done> {
    return async (...given) => {
      const done = last.then(async () => {
        const result = await work(...given)
        await appendFile(file, `${JSON.stringify({ change, given: given.map(toJson) })}\n`)
        return result
      })
      last = done.catch(() => undefined)
      return await done
    }
  }

  return {
    ...rows,
    append: journaled('append', rows.append),
    rewrite: journaled('rewrite', rows.rewrite),
    purge: journaled('purge', rows.purge),
    delete: journaled('delete', rows.delete),
    blobs: {
      ...blobs,
      put: journaled('put', blobs.put),
      drop: journaled('drop', blobs.drop),
      collect: journaled('collect', blobs.collect),
    },
    documents: {
      ...documents,
      write: journaled('write', documents.write),
      remove: journaled('remove', documents.remove),
    },
  }
}

/** Writes bytes as base64, at any depth of the value. */
function toJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toJson(each)]))
}

function reviveBytes(_key: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && Object.hasOwn(value, 'base64')
  return isBytes
    ? new Uint8Array(Buffer.from(String(Reflect.get(value, 'base64')), 'base64'))
    : value
}
