import {
  type ConversationDescription,
  type ConversationStore,
  describeConversation,
  StoreError,
} from '@toolblocks/conversation-store'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { createShortIds, getIdLabel } from '@toolblocks/viewer/reading'

/** The conversation that is meant, or why there is none. */
export type FoundConversation = { ok: true; id: string } | { ok: false; message: string }

/** How a conversation is looked for. */
export interface FindOptions {
  /** Where conversations are, for messages. */
  name?: string
  /** Which of them can be the latest. Default: all that no agent leads for a call, as a person goes on with their own. */
  isOwn?: (description: ConversationDescription) => boolean
}

/** What stands for the conversation that was written last. */
export const LATEST = 'latest'

/** Conversations that are named where more than one can be meant. */
const NAMED = 5

/** Finds a conversation by its id, by the beginning of it that no other has, or as the `latest`. */
export async function findConversation(
  store: Pick<ConversationStore, 'list' | 'read'>,
  typed: string,
  { name, isOwn = ({ madeBy }) => madeBy !== 'agent' }: FindOptions = {},
): Promise<FoundConversation> {
  if (await isThere(store, typed)) return { ok: true, id: typed }
  const { conversations } = await store.list({ limit: Infinity })
  const ids = conversations.map(({ id }) => id)
  const place = name === undefined ? '' : ` in ${name}`
  if (typed === LATEST) {
    for (const id of ids) if (isOwn(await describeConversation(store, id))) return { ok: true, id }
    return { ok: false, message: `there are no conversations${place}` }
  }
  // With and without the format that an imported one begins with.
  const begun =
    typed === ''
      ? []
      : ids.filter((id) => [id, getIdLabel(id)].some((text) => text.startsWith(typed)))
  const same = begun.filter((id) => getIdLabel(id) === typed)
  const [found, ...more] = same.length > 0 ? same : begun
  if (found === undefined) {
    const known = [...ids, ...ids.map(getIdLabel), ...ids.map(createShortIds(ids))]
    const meant = didYouMean(typed, known) || SEE
    return { ok: false, message: `no conversation ${JSON.stringify(typed)}${place}${meant}` }
  }
  if (more.length === 0) return { ok: true, id: found }
  return { ok: false, message: await explainMany(store, typed, [found, ...more]) }
}

const SEE = '; "toolblocks conversations list" shows what there is'

/** What is damaged is there, too. */
async function isThere(store: Pick<ConversationStore, 'read'>, id: string): Promise<boolean> {
  try {
    return (await store.read(id, { limit: 0 })).more
  } catch (error) {
    if (error instanceof StoreError && error.code === 'damaged') return true
    throw error
  }
}

async function explainMany(
  store: Pick<ConversationStore, 'read'>,
  typed: string,
  found: readonly string[],
): Promise<string> {
  const shorten = createShortIds(found)
  const named = found.slice(0, NAMED).map(async (id) => {
    const { title } = await describeConversation(store, id)
    return title === undefined ? shorten(id) : `${shorten(id)} (${title})`
  })
  const rest = found.length > NAMED ? ', …' : ''
  const which = `${(await Promise.all(named)).join(', ')}${rest}`
  return `${found.length} conversations begin with ${JSON.stringify(typed)}: ${which}; give more of the id`
}
