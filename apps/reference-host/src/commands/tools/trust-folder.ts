import { describeProblem } from '../../configuration/configuration.ts'
import { loadConfiguration } from '../../configuration/load-configuration.ts'
import { EXIT } from '../../exit-codes.ts'
import { settingsFile } from '../../files/own-folders.ts'
import {
  asksNothing,
  describeCommands,
  isTrusted,
  startedUnasked,
  untrustedOf,
} from '../../tools/trust/ask-trust.ts'
import { openTrustStore } from '../../tools/trust/trust-store.ts'
import type { CommandContext, SharedOptions } from '../command-context.ts'

/** `toolblocks trust`: shows what a folder's configuration would start unasked, asks, and remembers the yes. */
export async function trustFolder(
  context: CommandContext,
  { config }: SharedOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  const parsed = await loadConfiguration(folder, config)
  if (!parsed.ok) {
    for (const problem of parsed.problems) terminal.complain('error', describeProblem(problem))
    return EXIT.usage
  }
  const question = startedUnasked(parsed.configuration)
  const store = openTrustStore(settingsFile('trust.json'))
  const unknown = untrustedOf(question, store)
  if (asksNothing(unknown)) {
    const what = asksNothing(question) ? 'starts nothing unasked' : 'is trusted already'
    terminal.print(terminal.sanitize(`${question.folder} ${what}.`))
    return EXIT.ok
  }
  if (!terminal.isInteractive) {
    terminal.note(describeCommands(unknown, terminal))
    terminal.complain(
      'error',
      'nobody can be asked here: run "toolblocks trust" at a terminal, or say --trust or TOOLBLOCKS_TRUST=1 for one run',
    )
    return EXIT.unanswered
  }
  const agreed = await isTrusted(question, { context, store })
  if (signal.aborted) return EXIT.cancelled
  return agreed ? EXIT.ok : EXIT.denied
}
