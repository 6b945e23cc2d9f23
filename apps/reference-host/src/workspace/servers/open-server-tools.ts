import { setTimeout as wait } from 'node:timers/promises'
import { StoreError } from '@toolblocks/conversation-store'
import {
  type ConnectOptions,
  createReadResourceTool,
  type McpServer,
  type ServerHooks,
} from '@toolblocks/mcp-bridge'
import type { StartingServers } from '@toolblocks/mcp-bridge/server'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { Gateway } from '@toolblocks/mcp-bridge/gateway'
import type { Configuration } from '../configuration/configuration.ts'
import {
  type OpenedServer,
  openServer,
  type OpenServersOptions,
  type StartingServer,
} from './open-servers.ts'
import type { ResolvedTools } from '../tools/resolve-tools.ts'
import { resolveServerTools } from './make-entries.ts'
import type { SharedServers } from './share-servers.ts'
import type { WrittenServer } from './written-servers.ts'

/** Open servers and their tools, for a host. */
export interface OpenedServerTools extends ResolvedTools {
  /** Those that are connected now. */
  servers: readonly McpServer[]
  /** The servers that have not connected within the patience of the opening. They are added when they have. */
  starting: StartingServers
  /** The tool that reads the links of these servers; empty without servers. */
  readers: readonly ToolEntry[]
  /** Returns the tools that the servers offer now. */
  now(): Promise<ResolvedTools>
  /** Returns how often servers have changed their lists of tools. */
  changes(): number
  /** Tries to open servers that have failed again, after growing pauses. Settles with whether one was opened. */
  retry(): Promise<boolean>
  /** Ends the connections, and their programs, until the next use. Those that other clients use, too, and those of `except`, stay open. */
  rest(except?: readonly string[]): Promise<void>
  /** Closes the connections and stops their programs. Those that other clients use, too, stay open. */
  close(): Promise<void>
}

/** For whom the servers are opened, if they are served to several clients. */
export interface Sharing {
  gateway: Gateway
  shared: SharedServers
}

/** Opens servers that the user has agreed to, in parallel, and creates their tools. A failure affects only its own server. */
export async function openServerTools(
  wanted: readonly WrittenServer[],
  {
    configuration,
    hooks,
    onChange,
    signal,
    admit,
    patienceMs,
    sharing,
    people,
    telemetry,
  }: {
    configuration: Configuration
    hooks: (server: string) => ServerHooks
    /** Called when a server has changed its list of tools, or has connected or failed after the patience. */
    onChange?: () => void
    signal: AbortSignal
    /** Called before a program is started; see `ConnectOptions`. */
    admit?: ConnectOptions['admit']
    /** Milliseconds that the opening waits for servers. Default: until each has connected or failed. */
    patienceMs?: number
    sharing?: Sharing
    people?: OpenServersOptions['people']
    telemetry?: OpenServersOptions['telemetry']
  },
): Promise<OpenedServerTools> {
  let changes = 0
  const closing = new AbortController()
  const options: OpenServersOptions = {
    root: configuration.root,
    environment: { ...process.env },
    hooks: (server) => ({
      ...hooks(server),
      onToolsChanged: () => {
        changes += 1
        onChange?.()
      },
    }),
    signal: AbortSignal.any([signal, closing.signal]),
    ...(admit && { admit }),
    ...(people && { people }),
    telemetry,
  }
  const opened: (OpenedServer | StartingServer)[] = wanted.map((written) => ({
    written,
    ok: false,
    reason: 'starting',
  }))
  const servers: McpServer[] = []
  /** Those that no other client uses. */
  const own: McpServer[] = []
  const leaves: (() => void)[] = []
  const names = (): readonly string[] =>
    opened.flatMap((one) => (!one.ok && one.reason === 'starting' ? [one.written.name] : []))
  let isOpen = false
  const open = async (written: WrittenServer, index: number): Promise<void> => {
    const isPersonal = people !== undefined && written.own.login === 'each'
    const { opened: one, leave } =
      sharing && !isPersonal
        ? await sharing.shared.open(written, options, sharing.gateway)
        : { opened: await openServer(written, options) }
    opened[index] = one
    if (leave) leaves.push(leave)
    else if (one.ok) own.push(one.server)
    if (!one.ok && one.reason === 'login') void openAfterLogin(one, index)
    // In the order of the configuration, whichever connects first.
    servers.splice(0, Infinity, ...opened.flatMap((each) => (each.ok ? [each.server] : [])))
    if (!isOpen || closing.signal.aborted) return
    changes += 1
    onChange?.()
  }
  /** Connects to a server when the person has logged in there. */
  async function openAfterLogin(
    { written, login }: Extract<OpenedServer, { reason: 'login' }>,
    index: number,
  ): Promise<void> {
    if (!login) return
    while (!closing.signal.aborted) {
      try {
        await login.wait(closing.signal)
        if (!closing.signal.aborted) await open(written, index)
        return
      } catch (error) {
        // The store that keeps the logins may be away for a while. Anything else is a fault of this program.
        if (!(error instanceof StoreError)) throw error
        await wait(STORE_PAUSE_MS, undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }
  const opening = wanted.map(open)
  const settled = Promise.all(opening).then(() => undefined)
  const retries = createRetries()
  const close = async (): Promise<void> => {
    closing.abort()
    await Promise.allSettled(opening)
    await retries.settled()
    for (const leave of leaves) leave()
    await Promise.all(own.map(async (server) => await server.close()))
    // A fault of this program ends no connection early, and is reported last.
    await settled
  }
  try {
    await waitAtMost(settled, patienceMs)
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
  isOpen = true
  settled.catch(() => undefined)
  return {
    ...(await resolveServerTools(opened, configuration)),
    servers,
    starting: { names, wait: async () => await settled },
    now: async () => await resolveServerTools(opened, configuration),
    changes: () => changes,
    // No approval is needed: an allowed call has returned the link, and only its own server is asked.
    readers:
      wanted.length === 0
        ? []
        : [
            {
              tool: createReadResourceTool(() => servers),
              source: 'mcp',
              policy: 'unattended',
            },
          ],
    retry: async () => {
      const failed = opened.flatMap((one, index) =>
        !one.ok && one.reason === 'failed' ? index : [],
      )
      const due = failed.filter(retries.isDue)
      if (due.length === 0 || closing.signal.aborted) return false
      await Promise.all(
        due.map(async (index) => {
          const { [index]: written } = wanted
          if (written) await retries.begin(index, async () => await open(written, index))
        }),
      )
      return due.some((index) => opened[index]?.ok)
    },
    rest: async (except = []) => {
      const ended = own.filter(({ name }) => !except.includes(name))
      await Promise.all(ended.map(async (server) => await server.rest()))
    },
    close,
  }
}

/** Milliseconds after a failure until a server is tried again, by the number of tries. */
/** Milliseconds before logins are read again when their store has failed. */
const STORE_PAUSE_MS = 1000
const PAUSES_MS = [0, 500, 1000, 2000, 5000, 10_000, 30_000]

/** The tries of servers that have failed, by their place in the configuration. */
interface Retries {
  /** Whether its pause is over, or a try is running. */
  isDue(index: number): boolean
  /** Begins a try, unless one is running, and waits for it. */
  begin(index: number, open: () => Promise<void>): Promise<void>
  settled(): Promise<void>
}

function createRetries(): Retries {
  const running = new Map<number, Promise<void>>()
  const tries = new Map<number, { count: number; next: number }>()
  return {
    isDue: (index) => running.has(index) || performance.now() >= (tries.get(index)?.next ?? 0),
    begin: async (index, open) => {
      const known = running.get(index)
      if (known) return await known
      const trying = open().finally(() => {
        const count = (tries.get(index)?.count ?? 0) + 1
        const pause = PAUSES_MS[Math.min(count, PAUSES_MS.length - 1)] ?? 0
        tries.set(index, { count, next: performance.now() + pause })
        running.delete(index)
      })
      running.set(index, trying)
      await trying
    },
    settled: async () => void (await Promise.allSettled(running.values())),
  }
}

async function waitAtMost(settled: Promise<void>, patienceMs: number | undefined): Promise<void> {
  if (patienceMs === undefined) return await settled
  await Promise.race([settled, wait(patienceMs, undefined, { ref: false })])
}
