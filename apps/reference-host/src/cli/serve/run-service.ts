import type { Readable } from 'node:stream'
import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import type { RunningService, StateOptions, ToolService } from '@toolblocks/mcp-bridge/server'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { ClientAccess } from './clients/client-access.ts'
import { PAGES_PATH } from './pages/pages-path.ts'
import { openServicePages, type ServedRecord } from './pages/service-pages.ts'
import type { OpenedLogins } from './logins/open-service-logins.ts'
import type { getReplicaStore } from './replica-store.ts'
import type { ServeCommandOptions } from './serve-options.ts'

/** Serves clients until the signal aborts. */
export async function runService(
  service: ToolService,
  {
    context: { terminal, signal, readMetrics },
    options: { http, host, allowHost = [], publicUrl, trustedProxy = [], drain },
    tools,
    token,
    access,
    proxies,
    states,
    findMissing,
    replicas,
    record,
    logins,
    mayReadMetrics,
    onListening,
    input,
  }: {
    context: CommandContext
    options: ServeCommandOptions
    /** The names of the tools of the person, without those that Toolblocks adds. */
    tools: ReadonlySet<string>
    token: string | undefined
    access: Exclude<ClientAccess, { kind: 'refused' }>
    /** Proxies of the configuration that may name the addresses of clients. */
    proxies: readonly string[]
    states: StateOptions
    /** Returns why the service is not ready. */
    findMissing: () => Promise<string | undefined>
    replicas: Exclude<ReturnType<typeof getReplicaStore>, string>
    /** What people read on pages. Absent: there are no such pages. */
    record?: ServedRecord | undefined
    /** Logins of people at servers. Absent: nobody has a login of her own there. */
    logins: Pick<OpenedLogins, 'createPages' | 'keyMark'> | undefined
    /** Whether a client may read the metrics, which are about all clients. */
    mayReadMetrics: (client: ClientIdentity | undefined) => boolean
    /** Called with the origin of the service when it can be reached. */
    onListening: (origin: string) => void
    /** The messages of a client over standard input. */
    input: Readable
  },
): Promise<void> {
  const { serveHttp, serveStdio } = await import('@toolblocks/mcp-bridge/server')
  const count = `${tools.size} tool${tools.size === 1 ? '' : 's'}`
  const added = service.definitions().flatMap(({ name }) => (tools.has(name) ? [] : [name]))
  const what = new Intl.ListFormat('en').format([count, ...added])
  const reportServing = (where: string): void =>
    terminal.note(terminal.sanitize(`Serving ${what} ${where}`))
  const served = await start()
  const graceMs = drain === undefined ? {} : { graceMs: drain * 1000 }
  const end = (): void => void served.close(graceMs)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  await served.closed
  signal.removeEventListener('abort', end)

  async function start(): Promise<RunningService> {
    if (http === undefined) {
      const stdio = await serveStdio(service, { ...states, input })
      reportServing('on standard input and output')
      return stdio
    }
    const pages = await openServicePages(access, {
      key: states.stateKey,
      publicUrl,
      record,
      more: logins?.createPages,
    })
    const listening = await serveHttp(service, {
      ...states,
      ...(pages && { pages: pages.answer }),
      port: http,
      ...(host !== undefined && { host }),
      allowedHosts: [...allowHost, ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin])],
      trustedProxies: [...trustedProxy, ...proxies],
      ...(token !== undefined && { token }),
      ...(access.kind === 'clients' && { authenticate: access.authenticate }),
      ...(access.kind === 'clients' && access.metadata && { resourceMetadata: access.metadata }),
      findMissing,
      ...(replicas && {
        replicas: {
          ...replicas,
          getAccess: () =>
            access.kind === 'clients'
              ? JSON.stringify([access.getAccess(), logins?.keyMark])
              : (token ?? ''),
          onProblem: (message) => terminal.report('warning', message),
        },
      }),
      ...(readMetrics && {
        metrics: async (client) => (mayReadMetrics(client) ? await readMetrics() : undefined),
      }),
    })
    const { origin } = new URL(publicUrl ?? listening.url)
    onListening(origin)
    reportServing(`at ${listening.url}`)
    if (record)
      terminal.note(terminal.sanitize(`Pages for people who sign in: ${origin}${PAGES_PATH}`))
    if (access.kind === 'clients')
      terminal.note(
        terminal.sanitize(`Clients with tokens of their own: ${access.names.join(', ')}`),
      )
    else if (token === undefined)
      terminal.note(
        terminal.sanitize(
          `Clients must send this header:\nAuthorization: Bearer ${listening.token}`,
        ),
      )
    return listening
  }
}
