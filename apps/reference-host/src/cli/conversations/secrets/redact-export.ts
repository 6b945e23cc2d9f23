import { Buffer } from 'node:buffer'
import type { ConversationStore, StoredEvent } from '@toolblocks/conversation-store'
import { createScrubber, joinScrubbers, type Scrubber } from '@toolblocks/conversation-store/scrub'
import type { CommandContext } from '../../../terminal/command-context.ts'
import type { OpenConversations } from '../../../workspace/conversations/with-conversations.ts'
import { countSecrets, describeUnsearched, describeSecret } from './describe-secrets.ts'
import { findSecrets, readConversationTexts } from './find-secrets.ts'

/** The parts from which an export is written. */
export interface RedactedExport {
  /** The store to read from. With `--redact`, its events contain none of the found secrets. */
  store: ConversationStore
  /** Whether a secret may remain because the time was over. */
  isIncomplete: boolean
}

/** The minimum length of a value that can be distinguished from other text. */
const MIN_LENGTH = 6

/** Searches a conversation for secrets before its export. Reports what the rules find, or removes it from the export. */
export async function lookForSecrets(
  { terminal, signal, command }: CommandContext,
  { store }: OpenConversations,
  { id, redact }: { id: string; redact: boolean | undefined },
): Promise<RedactedExport> {
  const texts = readConversationTexts(store, { id, signal, raw: 'without-raw' })
  const search = await findSecrets(texts, signal)
  const missed = describeUnsearched(search)
  if (missed !== undefined) terminal.report('warning', missed)
  const isIncomplete = redact === true && missed !== undefined
  if (search.secrets.length === 0) return { store, isIncomplete }
  const [long, short] = [
    search.secrets.filter(({ value }) => value.length >= MIN_LENGTH),
    search.secrets.filter(({ value }) => value.length < MIN_LENGTH),
  ]
  const count = countSecrets(search.secrets)
  if (!redact) {
    terminal.report(
      'warning',
      `the export contains ${count}; --redact omits them, "${command} conversations scrub ${JSON.stringify(id)} --detect" removes them from the store`,
    )
    return { store, isIncomplete }
  }
  for (const secret of short)
    terminal.report('warning', `too short to replace: ${describeSecret(secret)}`)
  if (long.length > 0) terminal.note(terminal.sanitize(`The export omits ${countSecrets(long)}.`))
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
