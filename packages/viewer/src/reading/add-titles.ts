import {
  type ConversationStore,
  describeConversation,
  type SearchHit,
} from '@toolblocks/conversation-store'

/** What was found, with the title of its conversation where it has one. */
export type TitledHit = SearchHit & { title?: string }

/** Says with each hit the title of its conversation. */
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
