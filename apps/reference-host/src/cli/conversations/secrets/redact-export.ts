import type { ConversationStore, StoredEvent } from '@toolblocks/conversation-store'
import type { Scrubber } from '@toolblocks/conversation-store/scrub'
import type { CommandContext } from '../../../terminal/command-context.ts'
import type { OpenConversations } from '../../../workspace/conversations/with-conversations.ts'
import { quote } from '../../../workspace/consent/want-line.ts'
import { countSecrets, describeUnsearched, describeSecret } from './describe-secrets.ts'
import { findSecrets, readConversationTexts } from './find-secrets.ts'
import { createRedactor, isRemovable, redactEvent } from './redact-event.ts'

/** The parts from which an export is written. */
export interface RedactedExport {
  /** The store to read from. With `--redact`, its events contain none of the found secrets. */
  store: ConversationStore
  /** Whether a secret may remain because the time was over. */
  isIncomplete: boolean
}

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
  const noteEnd = (sentence: string): void =>
    terminal.note(
      terminal.sanitize(
        `${sentence} The rules know only certain forms of secrets: read the export before you share it. To remove any other text, run "${command} conversations scrub ${quote(id)}", which asks for the text and removes it from the store, and export again.`,
      ),
    )
  if (search.secrets.length === 0) {
    if (redact) noteEnd('No probable secret was found.')
    return { store, isIncomplete }
  }
  const [long, short] = [
    search.secrets.filter(({ value }) => isRemovable(value)),
    search.secrets.filter(({ value }) => !isRemovable(value)),
  ]
  const count = countSecrets(search.secrets)
  if (!redact) {
    terminal.report(
      'warning',
      `the export contains ${count}; --redact omits them, "${command} conversations scrub ${quote(id)} --detect" removes them from the store`,
    )
    return { store, isIncomplete }
  }
  for (const secret of short)
    terminal.report('warning', `too short to replace: ${describeSecret(secret)}`)
  noteEnd(
    long.length === 0
      ? 'No probable secret was omitted.'
      : `The export omits ${countSecrets(long)}.`,
  )
  const redactor = createRedactor(long.map(({ value }) => value))
  return { store: redactStore(store, redactor), isIncomplete }
}

function redactStore(store: ConversationStore, scrubber: Scrubber): ConversationStore {
  return {
    ...store,
    read: async (conversation, request) => {
      const page = await store.read(conversation, request)
      return {
        ...page,
        events: page.events.map((stored) => redactStored(stored, scrubber)),
        damaged: page.damaged.map((each) => ({ ...each, bytes: scrubber.bytes(each.bytes) })),
      }
    },
  }
}

function redactStored(stored: StoredEvent, scrubber: Scrubber): StoredEvent {
  const { original } = stored
  return {
    ...stored,
    event: redactEvent(stored.event, scrubber),
    ...(original && { original: scrubber.bytes(scrubber.json(original)) }),
  }
}
