import type { ConversationStore } from '@toolblocks/conversation-store'
import { FORMAT_NAMES } from '@toolblocks/conversation-store/internal/format-names'

/** Returns the short form of an id: its unique beginning. */
export type ShortenId = (id: string) => string

/** Minimum length of a random id. Shorter ones look like words. */
const MIN_LENGTH = 8
const MAX_WORD_LENGTH = 24

/** Creates the function that shortens the ids of a store. Names from a person are not shortened. */
export function createShortIds(ids: readonly string[]): ShortenId {
  const names = ids.map(getIdLabel).toSorted()
  const short = new Map<string, string>()
  for (const [index, name] of names.entries()) {
    const around = [names[index - 1], names[index + 1]].filter((other) => other !== undefined)
    const shared = Math.max(0, ...around.map((other) => countShared(name, other)))
    const isWord = name.length <= MAX_WORD_LENGTH
    short.set(name, isWord ? name : name.slice(0, Math.max(MIN_LENGTH, shared + 1)))
  }
  return (id) => short.get(getIdLabel(id)) ?? id
}

/** Reads all ids of a store, and creates the function that shortens them. */
export async function readShortIds(store: Pick<ConversationStore, 'list'>): Promise<ShortenId> {
  const { conversations } = await store.list({ limit: Infinity })
  return createShortIds(conversations.map(({ id }) => id))
}

/** Returns an id without the import format before it. */
export function getIdLabel(id: string): string {
  const format = FORMAT_NAMES.filter((name) => id.startsWith(`${name}-`)).toSorted(
    (one, other) => other.length - one.length,
  )[0]
  const name = format === undefined ? id : id.slice(format.length + 1)
  return name === '' ? id : name
}

function countShared(one: string, other: string): number {
  let count = 0
  while (count < one.length && one[count] === other[count]) count += 1
  return count
}
