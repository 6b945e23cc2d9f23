import { joinTerminal } from '@toolblocks/renderer'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { refuse } from '../../terminal/refuse.ts'
import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { loadConfiguration } from '../../workspace/configuration/load-configuration.ts'
import { findConfiguration } from '../../workspace/files/find-configuration.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { NO_FOLDER, openServed } from '../approvals/store-rule.ts'
import { openStoredTokens, type StoredToken, tokensFile } from '../serve/clients/stored-tokens.ts'

/** The options of `toolblocks serve tokens add`. */
export interface AddTokenOptions extends SharedOptions {
  /** The servers that `serve --server` serves, as they are typed there. Absent: the token is for the workspace. */
  server?: readonly string[]
  header?: readonly string[]
  env?: readonly string[]
  /** Until when the token is valid. Absent: until it is revoked. */
  expires?: Date
}

/** `toolblocks serve tokens add NAME`: prints a new token of a client, and stores its hash. */
export async function addToken(
  context: CommandContext,
  name: string,
  options: AddTokenOptions,
): Promise<number> {
  const { terminal, command } = context
  const checked = await findRoot(context, name, options)
  if (!checked.ok) return checked.code
  const { expires } = options
  const store = openStoredTokens(tokensFile(), waitAtTerminal(context))
  const { stored, token } = await store.add({
    root: checked.root,
    name,
    ...(expires && { expires: expires.toISOString() }),
  })
  terminal.print(terminal.sanitize(token))
  const until = stored.expires === undefined ? '' : `, until ${stored.expires}`
  terminal.note(
    terminal.sanitize(
      `The token of ${name} for ${checked.root}${until}. It is not shown again. "${command} serve tokens revoke ${stored.id}" ends it.`,
    ),
  )
  return EXIT.ok
}

/** Returns what a token is for, after the name of its client was checked. */
async function findRoot(
  context: CommandContext,
  name: string,
  options: AddTokenOptions,
): Promise<{ ok: true; root: string } | { ok: false; code: number }> {
  const { terminal, folder } = context
  const fail = (...messages: readonly string[]) =>
    ({ ok: false, code: refuse(terminal, messages) }) as const
  if (options.server !== undefined) {
    const served = await openServed(context, options)
    if (!served.ok) return served
    await served.close()
    return { ok: true, root: served.root }
  }
  if (options.config === undefined && findConfiguration(folder) === undefined)
    return fail(NO_FOLDER)
  const loaded = await loadConfiguration(folder, options.config)
  if (!loaded.ok) return fail(...loaded.problems.map(describeProblem))
  const { root, serve, file } = loaded.configuration
  const names = serve?.clients && Object.keys(serve.clients)
  // Another name would be a client without the limits that the file gives to each.
  if (names && !names.includes(name))
    return fail(`no client "${name}" in ${file}: [serve.clients]${didYouMean(name, names)}`)
  return { ok: true, root }
}

/** `toolblocks serve tokens list`: lists the tokens of all clients, without the tokens themselves. */
export async function listTokens(
  { terminal }: CommandContext,
  { output }: SharedOptions,
): Promise<number> {
  const tokens = openStoredTokens(tokensFile())
    .list()
    .map(({ hash: _hash, ...token }) => ({ ...token, ...(isExpired(token) && { expired: true }) }))
  if (output === 'json') {
    terminal.printJson({ tokens })
    return EXIT.ok
  }
  if (tokens.length === 0) terminal.print(terminal.style.plain('No tokens.'))
  for (const { id, name, root, at, expires } of tokens) {
    const facts = [
      `added ${at.slice(0, 10)}`,
      ...(expires === undefined
        ? []
        : [`${isExpired({ expires }) ? 'expired' : 'expires'} ${expires.slice(0, 10)}`]),
      root,
    ]
    const { style } = terminal
    terminal.print(
      joinTerminal([style.cyan(id), style.bold(name), style.dim(facts.join(' · '))], '  '),
    )
  }
  return EXIT.ok
}

function isExpired({ expires }: Pick<StoredToken, 'expires'>): boolean {
  return expires !== undefined && Date.parse(expires) <= Date.now()
}

/** `toolblocks serve tokens revoke ID …`: removes tokens. Services refuse them from the next request on. */
export async function revokeTokens(
  context: CommandContext,
  ids: readonly string[],
): Promise<number> {
  const store = openStoredTokens(tokensFile(), waitAtTerminal(context))
  let code: number = EXIT.ok
  for (const id of ids) {
    if (await store.revoke(id)) continue
    const how = `"${context.command} serve tokens list" lists them`
    context.terminal.report('error', `no token "${id}"; ${how}`)
    code = EXIT.usage
  }
  return code
}
