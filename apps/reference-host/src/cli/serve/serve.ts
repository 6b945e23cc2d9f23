import { makeHostEntry } from './host-entry.ts'
import { nameProgram } from '../../workspace/servers/command-words.ts'
import { basename } from 'node:path'
import { randomUUID } from 'node:crypto'
import { HOST_PROFILES } from '@toolblocks/mcp-bridge/server'
import { quoteName } from '@toolblocks/protocol/internal'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { EXIT } from '../../process/exit-codes.ts'
import { readOwnPackage } from '../../process/own-package.ts'
import { createService, type ServiceOptions } from './create-service.ts'
import { createClientServices } from './client-services.ts'
import { openClientAccess } from './clients/client-access.ts'
import { findUnnamed, openServiceLogins } from './logins/open-service-logins.ts'
import { LOGINS_OF_NOBODY } from '../../workspace/servers/person-login.ts'
import { createCallUsage } from './clients/call-usage.ts'
import { followSharedTokens, type SharedTokens } from './clients/shared-tokens.ts'
import { readRights, restrictService } from './clients/client-rights.ts'
import { getQuestionPage } from './pages/pages-path.ts'
import { findPagesProblem } from './pages/service-pages.ts'
import { createOrClose, createWorkSignal, endService } from './end-service.ts'
import { NO_CLIENT, readFirstClient } from './read-first-client.ts'
import { installServed, usePresentStart } from './install-served.ts'
import { openConfigured, openNamedPrograms, openNamedServers } from './open-service.ts'
import { refuse } from '../../terminal/refuse.ts'
import { createSharedServers } from '../../workspace/servers/share-servers.ts'
import { recordConversation } from './recorded-conversation.ts'
import { decideByCallRules } from '../../workspace/consent/create-approver.ts'
import { warnOfDenials } from '../../workspace/consent/describe-denials.ts'
import { describeUnfitCallRules, findTypedMistake } from '../../workspace/consent/unfit-rules.ts'
import { describeNarrowRules } from '../../workspace/consent/near-rules.ts'
import { findMissingStore, getReplicaStore, openStates } from './replica-store.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import {
  findMisplaced,
  getRuleWords,
  getServerWords,
  readResultsForm,
  type ServeCommandOptions,
} from './serve-options.ts'
import { noteWaiting } from './note-waiting.ts'
import { reportServedTools } from './report-served-tools.ts'
import { uninstallServed } from './uninstall-served.ts'
import { toAbsoluteServer } from '../../workspace/servers/server-address.ts'
import { runService } from './run-service.ts'
import { areStarting, getFirstPatience, limitWait, START_WAIT_SECONDS } from './wait-for-servers.ts'

/** `toolblocks serve`: serves the tools of the workspace, or of programs that were named, as an MCP server. */
export async function serveTools(
  commandContext: CommandContext,
  programs: readonly string[],
  options: ServeCommandOptions,
): Promise<number> {
  const { uninstall } = options
  if (uninstall !== undefined)
    return await uninstallServed(commandContext, programs, uninstall, options)
  try {
    return await openAndServe(commandContext, programs, options)
  } finally {
    // An open input keeps the process alive, and its client waits for an answer, also if nothing could be served.
    if (isOverStreams(options)) process.stdin.destroy()
  }
}

/** Whether a tool is offered, and is the person's own: Toolblocks adds one that reads the resources of all servers. */
function isOwn({ policy, source }: ToolEntry): boolean {
  return policy !== 'deny' && policy !== 'skip' && source !== 'mcp'
}

/** Reports the first denied call of each tool: a client may repeat them. */
function reportOnce({ report }: Terminal): NonNullable<ServiceOptions['report']> {
  const reported = new Set<string>()
  return (tool, reason) => {
    if (reported.has(tool)) return
    reported.add(tool)
    report('warning', `a call of ${quoteName(tool)} was denied: ${reason}`)
  }
}

/** Whether standard input and output belong to a client. */
function isOverStreams({ http, install }: ServeCommandOptions): boolean {
  return http === undefined && install === undefined
}

async function openAndServe(
  commandContext: CommandContext,
  programs: readonly string[],
  options: ServeCommandOptions,
): Promise<number> {
  const working = createWorkSignal(commandContext.signal)
  const context = {
    ...commandContext,
    terminal: disableOutput(commandContext.terminal),
    signal: working.signal,
  }
  const { terminal } = context
  const token = options.tokenEnv === undefined ? undefined : process.env[options.tokenEnv]
  if (options.tokenEnv !== undefined && !token)
    return refuse(terminal, [
      `--token-env ${options.tokenEnv}: this environment variable is not set`,
    ])
  const results = readResultsForm(options.results)
  if (results === undefined)
    return refuse(terminal, [
      `--results ${options.results}: expected host, as-is or a known host: ${HOST_PROFILES.map(({ name }) => name).join(', ')}`,
    ])
  if (options.tokenEnv !== undefined && options.http === undefined)
    return refuse(terminal, ['--token-env needs --http: standard input and output use no token'])
  if (options.metrics && options.http === undefined)
    return refuse(terminal, ['--metrics needs --http: over standard streams there are no pages'])
  if (options.host !== undefined && options.http === undefined)
    return refuse(terminal, [
      '--host needs --http: over standard input and output no address is used',
    ])
  if (options.install !== undefined && options.http !== undefined)
    return refuse(terminal, [
      '--install cannot be used with --http: the host starts the server itself, over standard input and output',
    ])
  const waitMs = (options.startWait ?? START_WAIT_SECONDS) * 1000
  const patienceMs = Math.min(waitMs, getFirstPatience())
  const misplaced = findMisplaced(programs, options)
  if (misplaced !== undefined) return refuse(terminal, [misplaced])
  // A server may change its tools while the service is still being opened.
  let isChanged = false
  let renew = (): void => {
    isChanged = true
  }
  /** The last renewal. Tools of a server that has started are offered after it. */
  let renewing = Promise.resolve()
  const onChange = (): void => renew()
  const isOverStdio = isOverStreams(options)
  const { client, input } =
    isOverStdio && !commandContext.terminal.isInteractive
      ? await readFirstClient(process.stdin, context.signal)
      : { client: NO_CLIENT, input: process.stdin }
  // The entry of a host is made from all servers, and definitions are accepted of all.
  const isWhole = options.install !== undefined || options.accept === true
  // Over standard streams, only a client without a session has several connections to a server.
  const shared =
    options.http !== undefined
      ? createSharedServers(context.signal)
      : isOverStdio && !client.hasSession
        ? createSharedServers(context.signal, 'chosen')
        : undefined
  const opening = {
    client,
    onChange,
    ...(shared && { shared }),
    ...(!isWhole && { patienceMs }),
    // Nobody is known before the first client.
    ...(options.http !== undefined && { people: LOGINS_OF_NOBODY }),
  }
  const opened =
    options.server !== undefined
      ? await openNamedServers(context, usePresentStart(context, options), opening)
      : programs.length > 0
        ? await openNamedPrograms(context, programs, options)
        : await openConfigured(context, options, opening)
  if (!opened.ok) return opened.code
  const mistake = findTypedMistake(opened.rules.rules, opened.entries)
  if (mistake !== undefined) {
    await opened.close()
    await shared?.close()
    return refuse(terminal, [mistake])
  }
  const entry = makeHostEntry(
    options.name ?? opened.name ?? nameServer(programs, opened.root),
    {
      ...options,
      programs,
      serverArgs: getServerWords({
        ...options,
        server: (options.server ?? []).map((text) => toAbsoluteServer(text, context.folder)),
      }),
      ruleArgs: getRuleWords(options),
      configuration: opened.configurationFile,
      folder: context.folder,
    },
    { execPath: process.execPath, program: process.argv[1] ?? '' },
  )
  const approval: ServiceOptions['approval'] = options.trustClient ? 'client' : 'user'
  const { version } = readOwnPackage()
  const only = recordConversation(opened, randomUUID(), false)
  const { id: conversation, record, turns, kept } = only
  const { maxResult = opened.maxResult } = options
  const { starting, rules, ruled, ...rest } = opened
  const { park, answerWithin } = options
  const warn = (message: string): void => terminal.report('warning', message)
  const onDenied = warnOfDenials(warn, context.command)
  // The port is known when the service listens, before any call.
  let origin = ''
  const getQuestionAddress = options.pages
    ? (id: string): string => getQuestionPage(origin, id)
    : undefined
  const how = {
    ...rest,
    ...(getQuestionAddress && { getQuestionAddress }),
    waiting: noteWaiting(opened.waiting, context, getQuestionAddress),
    decide: decideByCallRules(rules, onDenied),
    version,
    approval,
    results,
    ...(maxResult !== undefined && { maxResult }),
    ...(park !== undefined && { park }),
    ...(answerWithin !== undefined && { answerWithinMs: answerWithin * 1000 }),
    ...(context.telemetry && { telemetry: context.telemetry }),
    report: reportOnce(terminal),
  }
  const created = await createOrClose([kept, record, opened, ...(shared ? [shared] : [])], () =>
    createService(opened.entries, {
      ...how,
      record,
      conversation,
      turns,
      kept,
      ...(client.info && { client: client.info }),
      ...(areStarting(starting) && {
        starting: limitWait(
          {
            names: starting.names,
            wait: async () => {
              await starting.wait()
              await renewing
            },
          },
          waitMs - patienceMs,
        ),
      }),
    }),
  )
  const { service, setEntries } = created
  const states = options.install === undefined ? await openStates(opened, warn) : {}
  const isOfClients = options.http !== undefined
  const { capabilities } = client
  const { serve: table } = opened
  const usage = createCallUsage(
    options.replicaAddress === undefined ? undefined : opened.store?.documents,
  )
  const rights =
    table === undefined || table === 'waiting' ? undefined : readRights(table, rules, usage)
  const needs = { ...opened, rights, signal: context.signal, warn }
  const { logins, problem } = openServiceLogins(needs, options, process.env)
  // A session has the connections of the service. What is open for a client without one serves its first call.
  const clients =
    isOfClients || (isOverStdio && opened.openClient && !client.hasSession)
      ? createClientServices({
          ...how,
          ...(rights && { rights }),
          ...(logins && { people: logins.logins.forClient }),
          opened,
          warn,
          onDenied,
          isOffered: (called) => service.definitions().some((tool) => tool.name === called),
          patienceMs: waitMs,
          ...(isOfClients
            ? {
                onEntries: setEntries,
                stateKey: states.stateKey,
                isReplicated: options.replicaAddress !== undefined,
              }
            : { only: { ...only, created, capabilities } }),
        })
      : undefined
  // Each client has connections of its own; these have said what the servers offer.
  if (clients && isOfClients) {
    await opened.rest?.()
    void starting
      ?.wait()
      .then(opened.rest)
      .catch((error: unknown) => warn(String(error)))
  }
  let { entries: tools } = opened
  const update = async (): Promise<void> => {
    const entries = await opened.renew?.()
    if (!entries) return
    tools = entries
    setEntries(entries)
  }
  renew = () => {
    renewing = update().catch((error: unknown) => warn(String(error)))
  }
  if (isChanged) renew()
  await renewing
  const ending = new AbortController()
  const endWithoutServers = (): void => {
    // A person's Ctrl-C ends the servers too, and is no failure.
    if (commandContext.signal.aborted) return
    if (options.server !== undefined && opened.servers.length === 0) ending.abort()
  }
  void starting?.wait().then(endWithoutServers, endWithoutServers)
  /** Only when all servers have started or failed is it known what the tools are. */
  const reportRules = async (): Promise<void> => {
    await starting?.wait()
    await renewing
    if (tools.length === 0) return
    const late = findTypedMistake(rules.rules, tools)
    if (late !== undefined) {
      refuse(terminal, [late])
      return ending.abort()
    }
    for (const text of [
      ...describeUnfitCallRules(rules, { entries: tools, ...ruled() }),
      ...describeNarrowRules(rules.rules, tools),
    ])
      warn(text)
  }
  void reportRules().catch(() => undefined)
  let sharedTokens: SharedTokens | undefined
  try {
    const { install: host, yes } = options
    if (host !== undefined)
      return await installServed(commandContext, {
        host,
        entry,
        programs,
        isNamed: options.name !== undefined,
        ...(yes !== undefined && { yes }),
        ...(approval === 'user' && opened.configurationFile !== undefined && { tools, rules }),
      })
    if (options.http === undefined && commandContext.terminal.isInteractive)
      reportServedTools(terminal, {
        definitions: service.definitions(),
        entry,
        command: commandContext.command,
      })
    // Connections to servers are needed until the last call has had its time. Otherwise nothing new begins after the signal, and running calls end soon.
    if (options.replicaAddress !== undefined || options.drain !== undefined) working.detach()
    if (isOfClients && opened.store && opened.hasStoredTokens)
      sharedTokens = await followSharedTokens(opened.store.documents, { warn })
    const access = openClientAccess(
      { root: rules.root, serve: opened.serve, shared: sharedTokens },
      options,
      process.env,
    )
    if (access.kind === 'refused') return refuse(terminal, [access.message])
    const missing = problem ?? findUnnamed(access, logins)
    if (missing !== undefined) return refuse(terminal, [missing])
    if (access.kind === 'clients' && !opened.store)
      warn('calls are not recorded: set [store] url in toolblocks.toml or in the settings')
    const replicas = getReplicaStore(opened.store, states, options)
    if (typeof replicas === 'string') return refuse(terminal, [replicas])
    const pagesProblem = options.pages ? findPagesProblem(access, opened.store) : undefined
    if (pagesProblem !== undefined) return refuse(terminal, [pagesProblem])
    const { store, root } = opened
    const name = opened.name ?? nameServer(programs, root)
    const findRights = (rights ?? readRights({}, rules)).find
    await runService(
      {
        ...(rights && clients ? restrictService(service, rights, clients.open) : service),
        ...(clients && { open: clients.open }),
      },
      {
        context: {
          ...context,
          signal: AbortSignal.any([commandContext.signal, ending.signal]),
        },
        options,
        tools: new Set(tools.filter(isOwn).map(({ tool }) => tool.name)),
        token,
        access,
        findMissing: async () =>
          (await opened.findMissing?.()) ??
          (opened.store && (await findMissingStore(opened.store))),
        proxies: (table !== 'waiting' && table?.trusted_proxies) || [],
        states,
        replicas,
        ...(options.pages && store && { record: { store, root, name, findRights } }),
        onListening: (reached) => (origin = reached),
        input,
        logins,
        mayReadMetrics: (identified) => !identified || findRights(identified).reads === 'all',
      },
    )
    return ending.signal.aborted ? EXIT.usage : EXIT.ok
  } catch (error) {
    if (error instanceof Error && error.name === 'ServeError')
      return refuse(terminal, [error.message])
    throw error
  } finally {
    if (commandContext.signal.aborted) working.abort()
    await sharedTokens?.close()
    await usage.close()
    await endService({ created, kept, record, opened, clients, shared })
  }
}

/** Returns a terminal that never writes to standard output, which belongs to the protocol, and asks no questions. */
function disableOutput(terminal: Terminal): Terminal {
  const { keyboard: _keyboard, person: _person, ...rest } = terminal
  return { ...rest, print: terminal.note, isInteractive: false }
}

/** Returns the name of the service: that of the program, or that of the folder. */
function nameServer(programs: readonly string[], root: string): string {
  const [program, ...others] = programs
  const isOne = program !== undefined && others.length === 0
  return nameProgram(isOne ? program : basename(root), root)
}
