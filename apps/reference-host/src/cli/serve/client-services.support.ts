import type { ConversationEvent, ConversationStore } from '@toolblocks/conversation-store'
import type { ServedClient, ToolService } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult, type Tool } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { onTestFinished, vi } from 'vitest'
import { createClientServices } from './client-services.ts'
import type { OpenedService } from './open-service.ts'

type Opened = Extract<OpenedService, { ok: true }>
type Connect = NonNullable<Opened['openClient']>
type Options = Parameters<typeof createClientServices>[0]
type Connected = Awaited<ReturnType<Connect>>
type Connections = Parameters<Connect>[1]

export const MINUTE = 60_000
export const { signal } = new AbortController()
export const context = { signal, root: '/' }

export const createClient = (
  protocolVersion: '2025-11-25' | '2026-07-28',
  id = 'c',
): ServedClient => ({
  id,
  protocolVersion,
  capabilities: { elicitation: {} },
  identity: 'key',
  request: async () => ({ kind: 'aborted' }),
  notify: () => undefined,
})
export const session = createClient('2025-11-25')
export const stateless = createClient('2026-07-28')

/** Lets everything run that needs no timer. */
export async function settle(turns = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
}

export const entry = (name: string, execute?: Tool['execute']): ToolEntry => ({
  tool: {
    name,
    inputSchema: { type: 'object' },
    execute: execute ?? (async () => createSuccessResult([{ type: 'text', text: name }])),
  },
  source: 'mcp:s',
  policy: 'unattended',
})

/** The services, and what the test observes of them. */
interface Services {
  services: ReturnType<typeof createClientServices>
  /** What happened, in order. */
  log: string[]
  events: ConversationEvent[]
  /** The conversations whose record has begun. */
  conversations: string[]
  /** For whom connections were opened, and with what. */
  asked: Parameters<Connect>[]
  warnings: string[]
  countOpened: () => number
}

/** The services of clients whose connections the test controls. With a store, they are recorded in it, too. */
export function createServices(
  connect: (connections: Connections, count: number) => Partial<Connected> = () => ({}),
  {
    patienceMs = 20,
    isOffered = (): boolean => false,
    store,
    opened: changed,
    ...more
  }: Partial<Omit<Options, 'opened'>> & {
    store?: ConversationStore
    /** What the service offers that is unusual. */
    opened?: Partial<Opened>
  } = {},
): Services {
  const log: string[] = []
  const events: ConversationEvent[] = []
  const conversations: string[] = []
  const asked: Parameters<Connect>[] = []
  const warnings: string[] = []
  let count = 0
  const record = {
    record: async (...added: ConversationEvent[]) => {
      await settle(8)
      events.push(...added)
      log.push(...added.map(({ type }) => type))
    },
    close: async () => {
      await settle()
      log.push('record closed')
    },
  }
  const opened = {
    ok: true,
    entries: [entry('first')],
    // A server, so that its tools are called over the connections of one call.
    servers: [{ capabilities: {}, hasLinked: () => false }],
    root: '/',
    beginRecord: (conversation: string) => {
      conversations.push(conversation)
      if (!store) return record
      let last = 0
      const recordInStore: typeof record.record = async (...added) => {
        await record.record(...added)
        await store.append(conversation, last, added)
        last += added.length
      }
      return { ...record, record: recordInStore, store }
    },
    openClient: async (...[client, connections]: Parameters<Connect>) => {
      count += 1
      asked.push([client, connections])
      const own = count
      return {
        entries: [entry('first')],
        servers: [],
        readers: [],
        starting: { names: () => [], wait: async () => undefined },
        renew: async () => undefined,
        retry: async () => false,
        rest: async () => void log.push(`resting ${own}`),
        close: async () => {
          log.push(`closing ${own}`)
          await settle(3)
          log.push(`closed ${own}`)
        },
        ...connect(connections, own),
      }
    },
    ...changed,
  } as unknown as Opened
  const services = createClientServices({
    ...opened,
    opened,
    version: '1',
    approval: 'client',
    patienceMs,
    isOffered,
    warn: (message) => void warnings.push(message),
    ...more,
  })
  onTestFinished(async () => await services.close())
  return { services, log, events, conversations, asked, warnings, countOpened: () => count }
}

export const call = async (
  service: ToolService,
  name = 'first',
  client = session,
): Promise<unknown> =>
  (await service.callTool({ id: name, name, arguments: {} }, context, client)).content

export const list = (service: ToolService): string[] =>
  service.definitions().map(({ name }) => name)

/** The rejections that nothing has handled until the end of the test. */
export function noteUnhandled(): unknown[] {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return unhandled
}

export function useFakeTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  onTestFinished(() => void vi.useRealTimers())
}

/** A call that runs until the connections of its client are closed. */
export function createHeldCall(): { held: ToolEntry; begun: Promise<void>; end: () => void } {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const held = entry('first', async () => {
    begin()
    await over
    return createSuccessResult([])
  })
  return { held, begun, end }
}
