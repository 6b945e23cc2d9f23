import { Buffer } from 'node:buffer'
import type { ConversationStore, StoredEvent } from '@toolblocks/conversation-store'
import { createScrubber, joinScrubbers, type Scrubber } from '@toolblocks/conversation-store/scrub'
import type { CommandContext } from '../../../terminal/command-context.ts'
import type { OpenConversations } from '../../../workspace/conversations/with-conversations.ts'
import { countSecrets, describeMissed, describeSecret } from './describe-secrets.ts'
import { findSecrets, textsOfConversation } from './find-secrets.ts'

/** What an export is written from. */
export interface RedactedExport {
  /** Reads events without the secrets that were found, where that was asked. */
  store: ConversationStore
  /** Whether a secret may be left because time was up. */
  isIncomplete: boolean
}

/** The shortest value that can be told from other text. */
const MIN_LENGTH = 6

/** Looks a conversation through before it is exported: says what rules find, or takes it out of what is written. */
export async function lookForSecrets(
  { terminal, signal, command }: CommandContext,
  { store }: OpenConversations,
  { id, redact }: { id: string; redact: boolean | undefined },
): Promise<RedactedExport> {
  const texts = textsOfConversation(store, { id, signal, raw: 'without-raw' })
  const search = await findSecrets(texts, signal)
  const missed = describeMissed(search)
  if (missed !== undefined) terminal.complain('warning', missed)
  const isIncomplete = redact === true && missed !== undefined
  if (search.secrets.length === 0) return { store, isIncomplete }
  const [long, short] = [
    search.secrets.filter(({ value }) => value.length >= MIN_LENGTH),
    search.secrets.filter(({ value }) => value.length < MIN_LENGTH),
  ]
  const count = countSecrets(search.secrets)
  if (!redact) {
    terminal.complain(
      'warning',
      `the export has ${count}; --redact writes it without them, "${command} conversations scrub ${JSON.stringify(id)} --detect" takes them out of the store`,
    )
    return { store, isIncomplete }
  }
  for (const secret of short)
    terminal.complain('warning', `too short to be replaced: ${describeSecret(secret)}`)
  if (long.length > 0)
    terminal.note(terminal.sanitize(`The export is without ${countSecrets(long)}.`))
  const scrubber = joinScrubbers(long.map(({ value }) => createScrubber(value, 'exact')))
  return { store: redactStore(store, scrubber), isIncomplete }
}

function redactStore(store: ConversationStore, scrubber: Scrubber): ConversationStore {
  return {
    ...store,
    read: async (conversation, request) => {
      const page = await store.read(conversation, request)
      return {
        ...page,
        events: page.events.map((stored) => redactEvent(stored, scrubber)),
        damaged: page.damaged.map((each) => ({ ...each, bytes: scrubber.bytes(each.bytes) })),
      }
    },
  }
}

function redactEvent(stored: StoredEvent, scrubber: Scrubber): StoredEvent {
  const { original } = stored
  const written = Buffer.from(JSON.stringify(stored.event))
  const scrubbed = scrubber.json(written)
  return {
    ...stored,
    event: scrubbed === written ? stored.event : readEvent(scrubbed),
    ...(original && { original: scrubber.bytes(scrubber.json(original)) }),
  }
}

function readEvent(bytes: Uint8Array): StoredEvent['event'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the event, with other texts
  return JSON.parse(Buffer.from(bytes).toString()) as StoredEvent['event']
}
