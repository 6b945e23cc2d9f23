import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { loadConfiguration } from '../../workspace/configuration/load-configuration.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { readWrittenServers, type WrittenServer } from '../../workspace/servers/written-servers.ts'
import { openFolderDecisions } from '../../workspace/consent/decisions.ts'
import { describeWants } from '../../workspace/consent/describe-wants.ts'
import { findLogins } from '../../workspace/servers/find-logins.ts'
import { refuse } from '../../terminal/refuse.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'

/** The options of `toolblocks trust`. */
export interface TrustOptions extends SharedOptions {
  /** Whether to remove the decisions. */
  revoke?: boolean
  /** Not accepted: an agreement that is stored was read by a person. */
  yes?: boolean
  /** Not accepted, like `yes`. */
  trust?: boolean
}

const AGREE_FOR_ONE_RUN = 'agree for one run of another command with --trust or TOOLBLOCKS_TRUST=1'

/** `toolblocks trust`: shows everything that a folder wants to do, asks about what is new, and stores the decision. */
export async function trustFolder(
  context: CommandContext,
  { config, output, revoke = false, yes = false, trust = false }: TrustOptions,
): Promise<number> {
  const { terminal, folder, signal } = context
  if (yes || trust)
    return refuse(terminal, [
      `"toolblocks trust" has no ${yes ? '--yes' : '--trust'}, because it stores what a person has read and agreed to: run it in a terminal, or ${AGREE_FOR_ONE_RUN}`,
    ])
  const parsed = await loadConfiguration(folder, config)
  if (!parsed.ok) {
    for (const problem of parsed.problems) terminal.report('error', describeProblem(problem))
    return EXIT.usage
  }
  const { configuration } = parsed
  const { servers, warnings } = await readWrittenServers(configuration)
  const decisions = openFolderDecisions(context, { configuration, servers })
  if (revoke) {
    const what = (await decisions.revoke()) ? 'Removed your agreement' : 'There was no agreement'
    terminal.print(terminal.sanitize(`${what} in ${configuration.root}.`))
    return EXIT.ok
  }
  for (const warning of warnings) terminal.report('warning', describeProblem(warning))
  const wants = decisions.wants.list()
  const unknown = decisions.findNew(wants)
  const known = wants.filter((want) => !unknown.includes(want))
  if (output === 'json')
    terminal.printJson(
      wants.map((want) => {
        const { hash: _hash, program: _program, ...fields } = want
        return { ...fields, agreed: known.includes(want) }
      }),
    )
  else if (known.length > 0)
    terminal.print(describeWants(`You have agreed that ${configuration.root} may`, known, terminal))
  if (output !== 'json') await showLogins(context, servers)
  if (unknown.length === 0) return EXIT.ok
  const isNew = known.length === 0
  if (output === 'json' || !terminal.isInteractive) {
    if (output !== 'json')
      terminal.note(
        describeWants(`You have not agreed that ${configuration.root} may`, unknown, terminal),
      )
    terminal.report(
      'error',
      `you have not agreed to everything, and no person can be asked here: run "toolblocks trust" in a terminal, or ${AGREE_FOR_ONE_RUN}`,
    )
    return EXIT.unanswered
  }
  const isYes = await decisions.ask({ wants: unknown, isNew })
  if (signal.aborted) return EXIT.cancelled
  return isYes ? EXIT.ok : EXIT.denied
}

/** Shows at which servers this user is logged in, because a folder that the user agreed to uses these logins. */
async function showLogins(
  { terminal }: CommandContext,
  servers: readonly WrittenServer[],
): Promise<void> {
  const logins = await findLogins(servers, process.env)
  const lines = logins.flatMap(({ name, login, unread }) => {
    if (unread) return [`  ${name}: ${unread.reason}`]
    return login ? [`  ${name}: at ${login.status.issuer}, kept in ${login.placeName}`] : []
  })
  if (lines.length > 0)
    terminal.print(terminal.sanitize(['It uses your logins', ...lines].join('\n')))
}
