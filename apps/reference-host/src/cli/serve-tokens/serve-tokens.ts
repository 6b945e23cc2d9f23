import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import { refuse } from '../../terminal/refuse.ts'
import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { loadConfiguration } from '../../workspace/configuration/load-configuration.ts'
import { readUserSettings } from '../../workspace/configuration/user-settings.ts'
import {
  type OpenConversations,
  withConversations,
} from '../../workspace/conversations/with-conversations.ts'
import { findConfiguration } from '../../workspace/files/find-configuration.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { chooseStore, isOfSeveralMachines } from '../../workspace/store/choose-store.ts'
import { NO_FOLDER, openServed } from '../approvals/store-rule.ts'
import {
  addSharedToken,
  DAMAGED_TOKENS,
  listSharedTokens,
  revokeSharedToken,
} from '../serve/clients/shared-tokens.ts'
import { type ClientToken, openStoredTokens, tokensFile } from '../serve/clients/stored-tokens.ts'

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
  const { terminal } = context
  const checked = await findRoot(context, name, options)
  if (!checked.ok) return checked.code
  const { root, isNamed } = checked
  const about = { name, ...(options.expires && { expires: options.expires.toISOString() }) }
  const isInStore = isNamed && (await areInStore(context, options))
  if (isInStore === undefined) return EXIT.usage
  if (isInStore)
    return await withConversations(context, { ...options, access: 'write' }, async (opened) => {
      const { stored, token, isNewList } = await addSharedToken(opened.store.documents, about)
      if (isNewList)
        terminal.report(
          'warning',
          'the list of tokens in the store was changed outside it: this token begins a new list, and those before are gone',
        )
      printToken(context, token, {
        ...stored,
        use: `in ${opened.name}, for all services there that have this client`,
      })
      return EXIT.ok
    })
  const store = openStoredTokens(tokensFile(), waitAtTerminal(context))
  const { stored, token } = await store.add({ root, ...about })
  printToken(context, token, { ...stored, use: `for ${root}` })
  return EXIT.ok
}

function printToken(
  { terminal, command }: CommandContext,
  token: string,
  { id, name, expires, use }: Pick<ClientToken, 'id' | 'name' | 'expires'> & { use: string },
): void {
  terminal.print(terminal.sanitize(token))
  const expiry = expires === undefined ? '' : ` ${describeExpiry(expires)}`
  terminal.note(
    terminal.sanitize(
      `The token of ${name} ${use}${expiry}. It is not shown again. "${command} serve tokens revoke ${id}" ends it.`,
    ),
  )
}

/** Whether the tokens of the clients of a configuration are in its store. Otherwise they are in the file of the user. `undefined`: the configuration cannot be read, which is reported. */
async function areInStore(
  { folder, terminal }: CommandContext,
  { config }: SharedOptions,
): Promise<boolean | undefined> {
  if (config === undefined && findConfiguration(folder) === undefined) return false
  const loaded = await loadConfiguration(folder, config)
  const user = await readUserSettings()
  if (!loaded.ok || !user.ok) {
    const problems = [loaded, user].flatMap((read) => (read.ok ? [] : read.problems))
    for (const problem of problems) terminal.report('error', describeProblem(problem))
    return undefined
  }
  const { configuration: written } = loaded
  return (
    written.serve?.clients !== undefined &&
    isOfSeveralMachines(chooseStore({ written, isAgreed: true, settings: user.settings }))
  )
}

/** Returns what a token is for, after the name of its client was checked. `isNamed`: the configuration names the client. */
async function findRoot(
  context: CommandContext,
  name: string,
  options: AddTokenOptions,
): Promise<{ ok: true; root: string; isNamed: boolean } | { ok: false; code: number }> {
  const { terminal, folder } = context
  const fail = (...messages: readonly string[]) =>
    ({ ok: false, code: refuse(terminal, messages) }) as const
  if (options.server !== undefined) {
    const served = await openServed(context, options)
    if (!served.ok) return served
    await served.close()
    return { ok: true, root: served.root, isNamed: false }
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
  return { ok: true, root, isNamed: names !== undefined }
}

/** `toolblocks serve tokens list`: lists the tokens of all clients, without the tokens themselves. */
export async function listTokens(context: CommandContext, options: SharedOptions): Promise<number> {
  const { terminal } = context
  const shared: (ClientToken & { store: string })[] = []
  const code = await withSharedTokens(context, options, async ({ store, name }) => {
    const { tokens: stored, isDamaged } = await listSharedTokens(store.documents)
    if (isDamaged) terminal.report('warning', DAMAGED_TOKENS)
    shared.push(...stored.map((token) => ({ ...token, store: name })))
  })
  const tokens = [...openStoredTokens(tokensFile()).list(), ...shared].map(
    ({ hash: _hash, ...token }) => ({ ...token, ...(isExpired(token) && { expired: true }) }),
  )
  if (options.output === 'json') {
    terminal.printJson({ tokens })
    return code
  }
  // What could not be read was reported.
  if (tokens.length === 0 && code === EXIT.ok) terminal.print(terminal.style.plain('No tokens.'))
  for (const { id, name, at, expires, ...where } of tokens) {
    const facts = [
      `added ${at.slice(0, 10)}`,
      ...(expires === undefined ? [] : [describeExpiry(expires)]),
      'store' in where ? `in ${where.store}` : where.root,
    ]
    const { style } = terminal
    terminal.print(
      joinTerminal([style.cyan(id), style.bold(name), style.dim(facts.join(' · '))], '  '),
    )
  }
  return code
}

/** Uses the store that has tokens of clients, if there is one. */
async function withSharedTokens(
  context: CommandContext,
  options: SharedOptions,
  use: (opened: OpenConversations) => Promise<void>,
): Promise<number> {
  const isInStore = await areInStore(context, options)
  if (isInStore !== true) return isInStore === false ? EXIT.ok : EXIT.usage
  return await withConversations(context, options, async (opened) => {
    await use(opened)
    return EXIT.ok
  })
}

/** Says on which day a token expires. */
function describeExpiry(expires: string): string {
  return `${isExpired({ expires }) ? 'expired' : 'expires'} ${expires.slice(0, 10)}`
}

function isExpired({ expires }: Pick<ClientToken, 'expires'>): boolean {
  return expires !== undefined && Date.parse(expires) <= Date.now()
}

/** `toolblocks serve tokens revoke ID …`: removes tokens. Services refuse them from the next request on. */
export async function revokeTokens(
  context: CommandContext,
  ids: readonly string[],
  options: SharedOptions,
): Promise<number> {
  const own = openStoredTokens(tokensFile(), waitAtTerminal(context))
  const left = new Set<string>()
  for (const id of ids) {
    const revoked = await own.revoke(id)
    if (revoked) printRevoked(context, revoked, `for ${revoked.root}`)
    else left.add(id)
  }
  if (left.size === 0) return EXIT.ok
  const code = await withSharedTokens(context, options, async ({ store, name }) => {
    for (const id of left) {
      const revoked = await revokeSharedToken(store.documents, id)
      if (!revoked) continue
      printRevoked(context, revoked, `in ${name}`)
      left.delete(id)
    }
  })
  for (const id of left) {
    const how = `"${context.command} serve tokens list" lists them`
    const where = code === EXIT.ok ? '' : ' in the file of the user, and the store was not read'
    context.terminal.report('error', `no token "${id}"${where}; ${how}`)
  }
  return left.size === 0 || code !== EXIT.ok ? code : EXIT.usage
}

function printRevoked(
  { terminal }: CommandContext,
  { id, name }: Pick<ClientToken, 'id' | 'name'>,
  where: string,
): void {
  const line = `Revoked the token ${id} of ${name} ${where}. Services refuse it from the next request on.`
  terminal.print(sanitizeTerminalLine(line, { maxLength: Infinity }))
}
