import { requireArguments, getOwnField } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import type { ConversationStore } from '../store/conversation-store.ts'
import type { StoredEvent } from '../events/conversation-event.ts'
import { FORMAT_NAMES } from '../events/format-name.ts'
import { StoreError } from '../problems/store-error.ts'
import { getImportedAbout, getImportedFields, getPersonText } from '../events/person-text.ts'

/** What the first events of a conversation tell about it. All strings come from outside: pass them through an encoder before you show them. */
export interface ConversationDescription {
  /** One line: an imported title, else the first words of a person, else the tool that was called. */
  title?: string
  /** The name of the model, as its provider writes it. */
  model?: string
  /** The absolute path of the working folder. */
  folder?: string
  /**
   * What created the conversation: `chat`, `run`, `call` or `serve` of a host, `agent` for the conversation of an agent that a call started, or the
   * format it was imported from.
   */
  madeBy?: string
  /** The client that was served, as its credentials have proved it. */
  servedTo?: string
  /** The host of that client, as it names itself. */
  client?: string
}

/** Numbers of events to read: a few at first, more if they contain no title. */
const PAGES: readonly number[] = [12, 60]

/** Maximum number of characters of a title. */
const MAX_LENGTH = 60

/** Describes a conversation by its first events. Returns an empty object if the conversation cannot be read or does not exist. */
export async function describeConversation(
  store: Pick<ConversationStore, 'read'>,
  id: string,
): Promise<ConversationDescription> {
  requireArguments('describeConversation(store, id)', [store, { read: 'function' }], [id, 'string'])
  const events: StoredEvent['event'][] = []
  let after = 0
  try {
    for (const limit of PAGES) {
      const page = await store.read(id, { after, limit })
      events.push(...page.events.map(({ event }) => event))
      after += limit
      if (!page.more || findTitle(events) !== undefined) break
    }
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'damaged') throw error
  }
  return describeEvents(events, id)
}

/** Describes a conversation by events in memory: its first ones, in their order. */
function describeEvents(
  events: readonly StoredEvent['event'][],
  id: string,
): ConversationDescription {
  const settings = events.map((event) => (event.type === 'configuration' ? event.values : {}))
  const sources = [...events.slice(0, 1).map(getImportedAbout), ...settings]
  const find = (name: string): string | undefined =>
    sources.map((from) => getOwnField(from, name)).find(isWords)
  const spoken = events.map((event) => (event.type === 'assistant_message' ? event.model : ''))
  const title = findTitle(events)
  const model = find('model') ?? spoken.find(isWords)
  const folder =
    find('folder') ??
    find('cwd') ??
    events.map((event) => getOwnField(getImportedFields(event), 'cwd')).find(isWords)
  const madeBy = findMaker(events[0], id)
  const servedTo = findName(events[0], 'identity')
  const client = servedTo === undefined ? undefined : findName(events[0], 'client')
  return {
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    ...(folder !== undefined && { folder }),
    ...(madeBy !== undefined && { madeBy }),
    ...(servedTo !== undefined && { servedTo }),
    ...(client !== undefined && { client }),
  }
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function findTitle(events: readonly StoredEvent['event'][]): string | undefined {
  const titles = events.slice(0, 1).map((event) => getOwnField(getImportedAbout(event), 'title'))
  const text = titles.find(isWords) ?? events.map(getPersonText).find(isWords)
  if (text !== undefined) return toTitle(text)
  const called = events.find((event) => event.type === 'tool_call')
  return called && toTitle(`call ${called.call.name}`)
}

/** Returns the first line with words, with single spaces, cut at the end of a word. */
function toTitle(text: string): string {
  const [line = ''] = text
    .trim()
    .slice(0, MAX_LENGTH * 20)
    .split(/[\r\n]/, 1)
  const title = line.replaceAll(/\s+/g, ' ').trim()
  if (title.length <= MAX_LENGTH) return title
  const end = title.lastIndexOf(' ', MAX_LENGTH)
  return `${title.slice(0, end > MAX_LENGTH / 2 ? end : MAX_LENGTH).toWellFormed()}…`
}

function findMaker(first: StoredEvent['event'] | undefined, id: string): string | undefined {
  const values = first?.type === 'configuration' ? first.values : {}
  if (isJsonObject(getOwnField(values, 'parent'))) return 'agent'
  const command = getOwnField(values, 'command')
  return isWords(command) ? command : formatOfId(id)
}

/** Returns the name of the client that a host serves, or of who it is, from the first event. */
function findName(
  first: StoredEvent['event'] | undefined,
  field: 'identity' | 'client',
): string | undefined {
  const about = first?.type === 'configuration' ? getOwnField(first.values, field) : undefined
  const name = isJsonObject(about) ? getOwnField(about, 'name') : undefined
  return isWords(name) ? toTitle(name) : undefined
}

/** Returns the format of an imported conversation, with which its id begins. */
function formatOfId(id: string): string | undefined {
  const names = FORMAT_NAMES.filter((name) => id.startsWith(`${name}-`))
  return names.toSorted((one, other) => other.length - one.length)[0]
}
