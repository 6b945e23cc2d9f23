import {
  type ConversationStore,
  describeConversation,
  type SearchHit,
} from '@toolblocks/conversation-store'

/** A search hit with the title of its conversation, if it has one. */
export type TitledHit = SearchHit & { title?: string }

/** Adds the title of its conversation to each hit. */
export async function addTitles(
  store: Pick<ConversationStore, 'read'>,
  hits: readonly SearchHit[],
): Promise<readonly TitledHit[]> {
  const ids = [...new Set(hits.map(({ conversation }) => conversation))]
  const read = ids.map(async (id) => [id, (await describeConversation(store, id)).title] as const)
  const titles = new Map(await Promise.all(read))
  return hits.map((hit) => {
    const title = titles.get(hit.conversation)
    return { ...hit, ...(title !== undefined && { title }) }
  })
}
