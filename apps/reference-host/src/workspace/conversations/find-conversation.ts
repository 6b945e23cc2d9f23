import {
  type ConversationDescription,
  type ConversationStore,
  describeConversation,
  StoreError,
} from '@toolblocks/conversation-store'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { createShortIds, getIdLabel } from '@toolblocks/viewer/reading'

/** The conversation that was found, or why none was found. */
export type FoundConversation = { ok: true; id: string } | { ok: false; message: string }

/** Settings of the search for a conversation. */
export interface FindOptions {
  /** The name of the store, for messages. */
  name?: string
  /** Whether a conversation can be the latest. Default: those that no agent leads for a call, because a person continues their own conversations. */
  isOwn?: (description: ConversationDescription) => boolean
}

/** The word for the conversation that was written last. */
export const LATEST = 'latest'

/** The maximum number of matching conversations that a message lists. */
const NAMED = 5

/** Finds a conversation by its id, by an unambiguous prefix of its id, or by the word `latest`. */
export async function findConversation(
  store: Pick<ConversationStore, 'list' | 'read'>,
  typed: string,
  { name, isOwn = ({ madeBy }) => madeBy !== 'agent' }: FindOptions = {},
): Promise<FoundConversation> {
  if (await isThere(store, typed)) return { ok: true, id: typed }
  const { conversations } = await store.list({ limit: Infinity })
  const ids = conversations.map(({ id }) => id)
  const location = name === undefined ? '' : ` in ${name}`
  if (typed === LATEST) {
    for (const id of ids) if (isOwn(await describeConversation(store, id))) return { ok: true, id }
    return { ok: false, message: `there are no conversations${location}` }
  }
  // The id of an imported conversation begins with its format. The prefix may omit it.
  const begun =
    typed === ''
      ? []
      : ids.filter((id) => [id, getIdLabel(id)].some((text) => text.startsWith(typed)))
  const same = begun.filter((id) => getIdLabel(id) === typed)
  const [first, ...more] = same.length > 0 ? same : begun
  if (first === undefined) {
    const known = [...ids, ...ids.map(getIdLabel), ...ids.map(createShortIds(ids))]
    const meant = didYouMean(typed, known) || SEE
    return { ok: false, message: `no conversation ${JSON.stringify(typed)}${location}${meant}` }
  }
  if (more.length === 0) return { ok: true, id: first }
  return { ok: false, message: await explainMany(store, typed, [first, ...more]) }
}

const SEE = '; "toolblocks conversations list" shows all of them'

/** Whether a conversation exists. A damaged one exists, too. */
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
  ids: readonly string[],
): Promise<string> {
  const shorten = createShortIds(ids)
  const named = ids.slice(0, NAMED).map(async (id) => {
    const { title } = await describeConversation(store, id)
    return title === undefined ? shorten(id) : `${shorten(id)} (${title})`
  })
  const rest = ids.length > NAMED ? ', …' : ''
  const which = `${(await Promise.all(named)).join(', ')}${rest}`
  return `${ids.length} conversations begin with ${JSON.stringify(typed)}: ${which}; type more characters of the id`
}
