import { StoreError } from '@toolblocks/conversation-store'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { describeScrubbed } from './secrets/describe-secrets.ts'
import {
  type OpenConversations,
  withConversation,
  withConversations,
} from '../../workspace/conversations/with-conversations.ts'

/** The options of `toolblocks conversations scrub`. */
export interface ScrubOptions extends SharedOptions {
  /** The value to remove, or `-` to read it from standard input. */
  secret?: string
  /** Whether to scrub all conversations and not only one. */
  all?: boolean
  /** Whether `Token` matches `token`, too. */
  ignoreCase?: boolean
  /** Whether to remove the values that rules find, and not a given value. */
  detect?: boolean
  /** Whether to remove the found values without a question. */
  yes?: boolean
}

/** `toolblocks conversations scrub`: removes one value from a conversation, or from all of them, and from the files of the store. */
export async function scrubConversations(
  context: CommandContext,
  named: string | undefined,
  options: ScrubOptions,
): Promise<number> {
  const { terminal } = context
  if ((named === undefined) === (options.all !== true)) {
    terminal.report('error', 'expected the id of a conversation, or --all')
    return EXIT.usage
  }
  if (options.detect && (options.secret !== undefined || options.ignoreCase)) {
    terminal.report('error', '--detect finds the values itself: omit --secret and --ignore-case')
    return EXIT.usage
  }
  if (options.yes && !options.detect) {
    terminal.report('error', '--yes answers the questions of --detect: add --detect')
    return EXIT.usage
  }
  const scrub = async (opened: OpenConversations & { id?: string }): Promise<number> =>
    await scrubOpened(context, opened, { ...options, id: opened.id })
  return named === undefined
    ? await withConversations(context, options, scrub)
    : await withConversation(named, { context, options }, scrub)
}

async function scrubOpened(
  context: CommandContext,
  opened: OpenConversations,
  options: ScrubOptions & { id: string | undefined },
): Promise<number> {
  const { terminal } = context
  const { store, configuration } = opened
  const { id, secret, output, ignoreCase } = options
  if (options.detect) {
    // The rules are loaded only with `--detect`.
    const { scrubDetected } = await import('./secrets/scrub-detected.ts')
    return await scrubDetected(context, opened, options)
  }
  const value = await readSecret(context, secret, configuration.root)
  if (value === undefined) {
    terminal.report('error', 'no value was given; --secret - reads one from standard input')
    return EXIT.unanswered
  }
  try {
    const scope = id === undefined ? {} : { conversation: id }
    const letterCase = ignoreCase ? 'ignored' : 'exact'
    const scrubbed = await store.scrub({ secret: value, letterCase, ...scope })
    if (output === 'json') terminal.printJson(scrubbed)
    else terminal.print(terminal.sanitize(describeScrubbed(scrubbed)))
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unscrubbable') throw error
    terminal.report('error', error.message)
    return EXIT.usage
  }
}

/** Reads the value at a prompt, which keeps it out of the history of the shell. */
async function readSecret(
  { terminal, readText, signal, interrupt }: CommandContext,
  secret: string | undefined,
  root: string,
): Promise<string | undefined> {
  if (secret === '-') return (await readText('-')).replace(/\r?\n$/, '')
  if (secret !== undefined || !terminal.isInteractive) return secret
  const { createPerson } = await import('../../terminal/ask/create-person.ts')
  const answer = await createPerson(terminal, { root, interrupt })?.(
    {
      id: 'secret',
      text: 'The value to remove',
      schema: { type: 'string', format: 'password' },
    },
    {
      blocks: [],
      source: { kind: 'question', call: { id: 'scrub', name: 'scrub', arguments: {} } },
      signal,
    },
  )
  return answer?.action === 'accept' && typeof answer.value === 'string' ? answer.value : undefined
}
