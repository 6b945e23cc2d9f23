import { writeCommand } from '@toolblocks/local-executor'
import { describeProblem } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { settingsFile } from '../own-folders.ts'
import { needsDescription } from '../tools/define-tool.ts'
import { isTrusted } from '../tools/trust/ask-trust.ts'
import { openTrustStore } from '../tools/trust/trust-store.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'

/** `toolblocks trust`: shows what a folder's configuration would start unasked, asks, and remembers the yes. */
export async function trustFolder(
  context: CommandContext,
  { config }: SharedOptions,
): Promise<number> {
  const { terminal, folder } = context
  const parsed = loadConfiguration(folder, config)
  if (!parsed.ok) {
    for (const problem of parsed.problems) terminal.complain('error', describeProblem(problem))
    return EXIT.usage
  }
  const { root, tools } = parsed.configuration
  const described = Object.values(tools).filter(needsDescription)
  const commands = [...new Set(described.map(({ command }) => writeCommand(command)))]
  const store = openTrustStore(settingsFile('trust.json'))
  const isKnown = store.untrusted(root, commands).length === 0
  if (isKnown) {
    const what = commands.length === 0 ? 'starts nothing unasked' : 'is trusted already'
    terminal.print(terminal.sanitize(`${root} ${what}.`))
    return EXIT.ok
  }
  if (!terminal.isInteractive) {
    terminal.complain(
      'error',
      `nobody can be asked here: run "toolblocks trust" at a terminal, or set TOOLBLOCKS_TRUST=1 for one run`,
    )
    return EXIT.unanswered
  }
  return (await isTrusted({ folder: root, commands }, {}, { context, store }))
    ? EXIT.ok
    : EXIT.denied
}
