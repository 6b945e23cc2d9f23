import { confirm } from '../../../terminal/ask/confirm.ts'
import { StoreError, type ScrubResult } from '@toolblocks/conversation-store'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { CommandContext, SharedOptions } from '../../../terminal/command-context.ts'
import { EXIT } from '../../../process/exit-codes.ts'
import type { OpenConversations } from '../../../workspace/conversations/with-conversations.ts'
import {
  countSecrets,
  describeUnsearched,
  describeScrubbed,
  describeSecret,
  maskSecret,
  secretToJson,
} from './describe-secrets.ts'
import {
  type PlacedText,
  type ProbableSecret,
  findSecrets,
  readConversationTexts,
  readQuestionTexts,
} from './find-secrets.ts'
import { isRemovable } from './redact-event.ts'

/** The options of `toolblocks conversations scrub --detect`. */
export interface DetectOptions extends SharedOptions {
  /** The id of one conversation. `undefined`: all conversations. */
  id: string | undefined
  /** Whether to remove the secrets without a question. */
  yes?: boolean
}

/** Finds probable secrets with rules, shows them masked, and removes those that a person, or `--yes`, agrees to remove. */
export async function scrubDetected(
  context: CommandContext,
  { store }: OpenConversations,
  options: DetectOptions,
): Promise<number> {
  const { terminal, signal } = context
  const { id, output } = options
  const scope = id === undefined ? {} : { conversation: id }
  async function* texts(): AsyncGenerator<PlacedText> {
    const ids = id === undefined ? await allIds(store) : [id]
    for (const each of ids)
      yield* readConversationTexts(store, { id: each, signal, raw: 'with-raw' })
    yield* readQuestionTexts(store, {
      conversation: id,
      signal,
      damaged: (question) =>
        terminal.report('warning', `the question ${question} is damaged and was not searched`),
    })
  }
  const search = await findSecrets(texts(), signal)
  // A shorter value would match too many other texts.
  const secrets = search.secrets.filter(({ value }) => isRemovable(value))
  for (const secret of search.secrets)
    if (!isRemovable(secret.value))
      terminal.report('warning', `too short to remove: ${describeSecret(secret)}`)
  const missed = describeUnsearched(search)
  if (missed !== undefined) terminal.report('warning', missed)
  const done = missed === undefined ? EXIT.ok : EXIT.timeout
  if (output !== 'json') {
    const count = secrets.length === 0 ? 'No probable secrets were found.' : countSecrets(secrets)
    terminal.print(terminal.sanitize([count, ...secrets.map(describeSecret)].join('\n')))
  }
  const scrub = async (chosen: readonly ProbableSecret[]): Promise<ScrubResult> =>
    await store.scrub({ secret: chosen.map(({ value }) => value), ...scope })
  /** One value that is a word of how events are written does not keep the others from being removed. */
  const remove = async (chosen: readonly ProbableSecret[]): Promise<ScrubResult> => {
    try {
      return await scrub(chosen)
    } catch (error) {
      if (chosen.length === 1 || !isUnscrubbable(error)) throw error
    }
    const results: ScrubResult[] = []
    let last: unknown
    for (const secret of chosen)
      try {
        results.push(await scrub([secret]))
      } catch (error) {
        if (!isUnscrubbable(error)) throw error
        last = error
        terminal.report('warning', `${describeSecret(secret)} stays: ${error.message}`)
      }
    const [first, ...others] = results
    if (!first) throw last
    return others.reduce(addResults, first)
  }
  const isAsked = terminal.isInteractive && output !== 'json' && !options.yes
  try {
    if (secrets.length === 0 || options.yes) {
      const scrubbed = secrets.length === 0 ? undefined : await remove(secrets)
      if (output === 'json')
        terminal.printJson({
          secrets: secrets.map(secretToJson),
          missed: search.missed,
          ...(scrubbed && { scrubbed }),
        })
      else if (scrubbed) terminal.print(terminal.sanitize(describeScrubbed(scrubbed)))
      return done
    }
    if (!isAsked) {
      if (output === 'json')
        terminal.printJson({ secrets: secrets.map(secretToJson), missed: search.missed })
      terminal.report('error', 'no person can be asked: add --yes to remove the secrets')
      return EXIT.unanswered
    }
    const how = secrets.length === 1 ? 'each' : await askHow(context, secrets)
    if (how === 'all') {
      terminal.print(terminal.sanitize(describeScrubbed(await remove(secrets))))
      return done
    }
    let left = how === 'each' ? 0 : secrets.length
    for (const secret of how === 'each' ? secrets : []) {
      if (await isAgreed(context, secret))
        terminal.print(terminal.sanitize(describeScrubbed(await remove([secret]))))
      else left += 1
      if (signal.aborted) return EXIT.cancelled
    }
    if (signal.aborted) return EXIT.cancelled
    if (left === 0) return done
    terminal.note(terminal.style.dim(left === 1 ? '1 stays.' : `${left} stay.`))
    return EXIT.denied
  } catch (error) {
    if (!isUnscrubbable(error)) throw error
    terminal.report('error', error.message)
    return EXIT.failed
  }
}

function addResults(one: ScrubResult, other: ScrubResult): ScrubResult {
  const forms = [...one.forms, ...other.forms]
  const names = [...new Set(forms.map(({ form }) => form))]
  return {
    ...other,
    events: one.events + other.events,
    documents: one.documents + other.documents,
    blobs: one.blobs + other.blobs,
    shared: one.shared + other.shared,
    awaited: one.awaited + other.awaited,
    forms: names.map((form) => ({
      form,
      removed: forms.reduce((sum, each) => (each.form === form ? sum + each.removed : sum), 0),
    })),
  }
}

function isUnscrubbable(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'unscrubbable'
}

async function allIds(store: OpenConversations['store']): Promise<readonly string[]> {
  const { conversations } = await store.list({ limit: Infinity })
  return conversations.map(({ id }) => id)
}

const CHOICES = [
  ['none', 'Remove none'],
  ['each', 'Ask for each'],
  ['all', 'Remove all of them'],
] as const

async function askHow(
  { terminal, signal, interrupt }: CommandContext,
  secrets: readonly ProbableSecret[],
): Promise<(typeof CHOICES)[number][0]> {
  const { chooseAtTerminal } = await import('@toolblocks/inquiry/terminal')
  const chosen = await chooseAtTerminal({
    material: sanitizeTerminalLine(countSecrets(secrets)),
    question: terminal.style.plain('Remove them, in every form?'),
    choices: CHOICES.map(([value, label]) => ({ value, label: terminal.style.plain(label) })),
    initial: 'none',
    signal,
    onInterrupt: interrupt,
  })
  return chosen?.value ?? 'none'
}

async function isAgreed(context: CommandContext, secret: ProbableSecret): Promise<boolean> {
  return await confirm(context, {
    material: joinTerminal([sanitizeTerminalLine(describeSecret(secret), { maxLength: Infinity })]),
    question: sanitizeTerminalLine(`Remove ${maskSecret(secret.value)}, in every form?`),
  })
}
