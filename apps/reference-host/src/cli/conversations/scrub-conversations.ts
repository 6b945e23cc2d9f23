import { StoreError } from '@toolblocks/conversation-store'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { describeScrubbed } from './secrets/describe-secrets.ts'
import {
  type OpenConversations,
  withConversation,
  withConversations,
} from '../../workspace/conversations/with-conversations.ts'

/** What was typed after `toolblocks conversations scrub`. */
export interface ScrubOptions extends SharedOptions {
  /** The value, or `-`: standard input. */
  secret?: string
  /** Not one conversation, but all. */
  all?: boolean
  /** `Token` is `token`, too. */
  ignoreCase?: boolean
  /** Not a value that is given, but those that rules find. */
  detect?: boolean
  /** Nobody is asked whether what was found is to be removed. */
  yes?: boolean
}

/** `toolblocks conversations scrub`: takes one value out of a conversation, or of all, and out of the files of the store. */
export async function scrubConversations(
  context: CommandContext,
  named: string | undefined,
  options: ScrubOptions,
): Promise<number> {
  const { terminal } = context
  if ((named === undefined) === (options.all !== true)) {
    terminal.complain('error', 'expected the id of a conversation, or --all')
    return EXIT.usage
  }
  if (options.detect && (options.secret !== undefined || options.ignoreCase)) {
    terminal.complain(
      'error',
      '--detect finds the values itself: leave --secret and --ignore-case out',
    )
    return EXIT.usage
  }
  if (options.yes && !options.detect) {
    terminal.complain('error', '--yes answers what --detect asks: add --detect')
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
    // Rules are loaded where they are asked for.
    const { scrubDetected } = await import('./secrets/scrub-detected.ts')
    return await scrubDetected(context, opened, options)
  }
  const value = await readSecret(context, secret, configuration.root)
  if (value === undefined) {
    terminal.complain('error', 'no value was given: --secret - reads it from standard input')
    return EXIT.unanswered
  }
  try {
    const place = id === undefined ? {} : { conversation: id }
    const letterCase = ignoreCase ? 'ignored' : 'exact'
    const scrubbed = await store.scrub({ secret: value, letterCase, ...place })
    if (output === 'json') terminal.printJson(scrubbed)
    else terminal.print(terminal.sanitize(describeScrubbed(scrubbed)))
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'unscrubbable') throw error
    terminal.complain('error', error.message)
    return EXIT.usage
  }
}

/** What is typed at a prompt stands in no history of a shell. */
async function readSecret(
  { terminal, readText, signal, interrupt }: CommandContext,
  given: string | undefined,
  root: string,
): Promise<string | undefined> {
  if (given === '-') return (await readText('-')).replace(/\r?\n$/, '')
  if (given !== undefined || !terminal.isInteractive) return given
  const { createPerson } = await import('../../terminal/ask/create-person.ts')
  const answer = await createPerson(terminal, { root, interrupt })?.(
    {
      id: 'secret',
      text: 'The value to take out',
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
