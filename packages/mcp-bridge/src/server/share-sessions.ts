import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '@toolblocks/protocol'
import { createQueues, MAX_SESSION_IDLE_MS } from '@toolblocks/protocol/internal'
import { hasSameGroups } from '../identity/client-identity.ts'
import { type Id, readMessages, SERVER_ERROR } from '../wire/message.ts'
import { EVENTS } from './event-stream.ts'
import { refuse, refuseBusy, type HttpExchange } from './stateless-http.ts'
import { joinReplicas, type Replica } from './join-replicas.ts'
import type { ReplicaOptions } from './replica-options.ts'
import { type KeptStreams, keepStreams, sweepStreams } from './kept-streams.ts'
import {
  createPassReader,
  derivePassKey,
  isReachable,
  MISDIRECTED,
  type Pass,
  type PassOutcome,
  passToReplica,
} from './pass-to-replica.ts'
import { createSessionRecords, type HeldSession, type SessionRecord } from './session-records.ts'
import { canBeTakenBack, createCallMarks } from './call-marks.ts'
import { createTaskRecords, type TaskRecords } from './task-records.ts'
import { limitDocuments } from './shared-documents.ts'

/** Who continues a session. */
type SessionRoute<Session> =
  /** This process does. */
  | { kind: 'here'; session: Session }
  /** Its request was answered. */
  | { kind: 'answered' }
  | { kind: 'unknown' }

/** The sessions that this process holds. */
interface OwnSessions<Session> {
  find(): Session | undefined
  /** Continues a session that this process has taken over. */
  open(held: HeldSession, record: SessionRecord): Promise<Session>
}

/** The sessions of all replicas, from the view of one. */
export interface SharedSessions {
  /** Reads the header of a request that another replica has passed on, and has checked. */
  readPass(header: string): Pass
  /** Marks that a call begins which another replica has passed on, as `CallMarks` has it. */
  beginCall(id: string): Promise<void>
  /** Settles when this process knows that it was not taken for dead. */
  confirm(): Promise<void>
  /** Writes a new session. */
  create(id: string, record: SessionRecord): Promise<HeldSession>
  /** Has a request of a session that this process does not hold answered by the one that does, or takes the session over. */
  route<Session>(
    id: string,
    exchange: HttpExchange,
    own: OwnSessions<Session>,
  ): Promise<SessionRoute<Session>>
  /** Has another replica answer a request that any replica can answer; `false` if there is none. */
  passToOther(exchange: HttpExchange): Promise<boolean>
  /** Returns the id of this replica. */
  ownId(): string
  /** Has the replica with this id answer a request; `false` if it is this one, or does not live. */
  passToHolder(holder: string, exchange: HttpExchange): Promise<boolean>
  /** The tasks of all replicas. */
  readonly tasks: TaskRecords
  /** Has a request about a task answered by the replica that has it; `false` if this process answers it. */
  passTask(taskId: string, exchange: HttpExchange): Promise<boolean>
  /** Keeps the streams of a session. */
  keepStreams(session: string): KeptStreams
  /** Settles when no request is passed to another replica, at most after this time. */
  settled(ms: number): Promise<void>
  /** Whether this process ends soon. */
  isLeaving(): boolean
  leave(): Promise<void>
  close(): Promise<void>
}

/** Milliseconds between two looks at a session whose holder does not answer. */
const LOOK_MS = 200
/** Milliseconds in which a store that works answers. */
const STORE_MS = 20_000
/** How often forgotten sessions and streams are removed. */
const SWEEP_MS = 30_000

/** Shares sessions with other replicas. `onLost`: all sessions may belong to others now; `onTaken`: one does. */
export async function shareSessions(
  {
    documents: store,
    key,
    address,
    deadAfterMs = 6000,
    getAccess,
    onProblem,
    ...limits
  }: ReplicaOptions,
  {
    maxSessionIdleMs: maxIdleMs = MAX_SESSION_IDLE_MS,
    onLost,
    onTaken,
  }: {
    maxSessionIdleMs?: number | undefined
    onLost: () => void
    onTaken: (id: string) => void
  },
): Promise<SharedSessions> {
  const documents = limitDocuments(store, STORE_MS)
  const onSameAddress = (): void => onProblem?.(explainAddress(address))
  const group = await joinReplicas({
    documents,
    address,
    onLost,
    onSameAddress,
    deadAfterMs,
    ...(getAccess && {
      getAccess: () =>
        createHmac('sha256', key).update(`access ${getAccess()}`).digest('base64url'),
      onOtherAccess: (other) => onProblem?.(explainAccess(other)),
    }),
  })
  const records = createSessionRecords({ documents, onTaken, maxIdleMs })
  const tasks = createTaskRecords(documents, group.ownId)
  const marks = createCallMarks(documents)
  const passKey = derivePassKey(key)
  const readPass = createPassReader(passKey)
  const inTurn = createQueues()
  /** The requests that other replicas answer now, except streams of messages that belong to no request. */
  const passing = new Set<Promise<unknown>>()
  let isLeaving = false
  const isAlive = async (holder: string): Promise<boolean> =>
    (await group.find(holder)) !== undefined
  const sweeping = setInterval(() => {
    void records.sweep(isAlive).catch(() => undefined)
    void sweepStreams(documents, limits).catch(() => undefined)
    void tasks.sweep().catch(() => undefined)
    void marks.sweep().catch(() => undefined)
  }, SWEEP_MS).unref()

  /** Takes a session that nobody holds, or returns the replica that continues it. `undefined`: another replica was first. */
  async function settle<Session>(
    id: string,
    { identity, identified, isPassed }: HttpExchange,
    own: OwnSessions<Session>,
  ): Promise<SessionRoute<Session> | { kind: 'elsewhere'; replica: Replica } | undefined> {
    const known = own.find()
    if (known) return { kind: 'here', session: known }
    const stored = await records.read(id)
    if (stored?.record.identity !== identity) return { kind: 'unknown' }
    if (!hasSameGroups(stored.record.identified, identified)) return { kind: 'unknown' }
    const { holder, record } = stored
    const isOwn = holder === '' || holder === group.ownId()
    const replica = isOwn ? undefined : await group.find(holder)
    if (replica) return { kind: 'elsewhere', replica }
    const other = isLeaving && !isPassed ? await group.findOther() : undefined
    if (other) return { kind: 'elsewhere', replica: other }
    const held = await records.take(id, group.ownId(), stored)
    return held && { kind: 'here', session: await own.open(held, record) }
  }

  async function route<Session>(
    id: string,
    exchange: HttpExchange,
    own: OwnSessions<Session>,
  ): Promise<SessionRoute<Session>> {
    const until = performance.now() + deadAfterMs * 3
    /** The replica that has not begun the call, and never will. If it lives, it may still have the request open. */
    let takenFrom: string | undefined
    for (;;) {
      const settled = await inTurn(id, async () => await settle(id, exchange, own))
      if (settled && settled.kind !== 'elsewhere') return settled
      if (settled && settled.replica.id === takenFrom && (await isReachable(settled.replica))) {
        await answerCut(id, exchange, explainTaken)
        return { kind: 'answered' }
      }
      if (settled && settled.replica.id !== takenFrom) {
        if (exchange.isPassed) {
          refuse(exchange.response, MISDIRECTED, 'Another replica holds this session.')
          return { kind: 'answered' }
        }
        const outcome = await pass(settled.replica, exchange)
        switch (outcome) {
          case 'answered':
            return { kind: 'answered' }
          case 'cut':
            await answerCut(id, exchange)
            return { kind: 'answered' }
          case 'replaced':
            await group.bury(settled.replica.id)
            continue
          case 'not-sent':
          case 'misdirected':
            break
          case 'taken-back':
            takenFrom = settled.replica.id
        }
      }
      if (exchange.response.destroyed) return { kind: 'answered' }
      if (performance.now() > until) {
        if (takenFrom !== undefined) await answerCut(id, exchange, explainTaken)
        else refuseBusy(exchange.response, 'The replica that holds this session does not answer')
        return { kind: 'answered' }
      }
      await pause(LOOK_MS)
    }
  }

  async function pass(replica: Replica, exchange: HttpExchange): Promise<PassOutcome> {
    const sentAt = performance.now()
    const about = {
      key: passKey,
      gone: group.whenGone(replica.id),
      ...(replica.marksCalls &&
        canBeTakenBack(exchange.body) && {
          takeBack: async (call: string) => await marks.takeBack(call, sentAt),
        }),
    }
    const passed = passToReplica(replica, exchange, about)
    if (exchange.request.method === 'GET') return await passed
    passing.add(passed)
    return await passed.finally(() => passing.delete(passed))
  }

  /** Resolves to whether the request was answered. */
  async function passOnce(replica: Replica, exchange: HttpExchange): Promise<boolean> {
    const outcome = await pass(replica, exchange)
    switch (outcome) {
      case 'answered':
        return true
      case 'cut':
        await answerCut(undefined, exchange)
        return true
      case 'not-sent':
      case 'misdirected':
      case 'replaced':
      case 'taken-back':
        return false
    }
  }

  return {
    beginCall: marks.begin,
    readPass: (header) => readPass(group.ownId(), header),
    confirm: group.confirm,
    create: async (id, record) => await records.create(id, group.ownId(), record),
    route,
    passToOther: async (exchange) => {
      const other = await group.findOther()
      return other !== undefined && (await passOnce(other, exchange))
    },
    ownId: group.ownId,
    passToHolder: async (holder, exchange) => {
      const isOwn = exchange.isPassed || holder === group.ownId()
      const replica = isOwn ? undefined : await group.find(holder)
      return replica !== undefined && (await passOnce(replica, exchange))
    },
    tasks,
    passTask: async (taskId, exchange) => {
      if (exchange.isPassed) return false
      const until = performance.now() + deadAfterMs * 3
      for (;;) {
        const holder = await tasks.findHolder(taskId)
        const replica =
          holder === undefined || holder === group.ownId() ? undefined : await group.find(holder)
        if (!replica) return false
        const outcome = await pass(replica, exchange)
        switch (outcome) {
          case 'answered':
            return true
          case 'replaced':
            await group.bury(replica.id)
            continue
          case 'cut':
          case 'not-sent':
          case 'misdirected':
          case 'taken-back':
        }
        // Requests about tasks can be sent twice.
        if (exchange.response.headersSent || performance.now() > until) {
          exchange.response.destroy()
          return true
        }
        await pause(LOOK_MS)
      }
    },
    keepStreams: (session) =>
      keepStreams({
        ...limits,
        documents,
        session,
        headers: { 'mcp-session-id': session },
        explain: explainUnknown,
      }),
    settled: async (ms) => {
      const late = pause(ms, undefined, { ref: false })
      await Promise.race([Promise.allSettled(passing), late])
    },
    isLeaving: () => isLeaving,
    leave: async () => {
      isLeaving = true
      await group.leave()
    },
    close: async () => {
      clearInterval(sweeping)
      await group.close()
    },
  }
}

/** Answers requests of which it is not known what became of them. */
async function answerCut(
  session: string | undefined,
  exchange: HttpExchange,
  explainId: (id: Id) => JsonObject = explainCut,
): Promise<void> {
  const { response, body, request } = exchange
  if (response.destroyed) return
  const ids = getRequestIds(body)
  if (response.headersSent) {
    // A part of a JSON text cannot be completed.
    if (response.getHeader('content-type') !== EVENTS) return void response.destroy()
    for (const id of ids)
      response.write(`\n\nevent: message\ndata: ${JSON.stringify(explainId(id))}\n\n`)
    response.end()
    return
  }
  if (ids.length === 0 || request.method !== 'POST')
    return refuse(response, 503, 'The replica that holds the session has ended. Try again.')
  const [only, ...others] = ids.map(explainId)
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(session !== undefined && { 'mcp-session-id': session }),
  })
  response.end(JSON.stringify(others.length === 0 ? only : [only, ...others]))
}

function explainAddress(address: string): string {
  return `another process has the address ${address} too: every replica needs an address of its own, at which the others reach it and nothing else`
}

function explainAccess(address: string): string {
  return `the process at ${address} has other tokens of clients, or another key for logins at servers, than this one: what one of them accepts, the other refuses. Give both the same`
}

function getRequestIds(body: unknown): readonly Id[] {
  return readMessages(body).flatMap((message) => (message.kind === 'request' ? [message.id] : []))
}

/** The answer to a request whose replica has ended. */
function explainCut(id: Id): JsonObject {
  return explain(id, 'The replica that executed this request has ended before it was answered.')
}

/** The answer to a call that its replica has not begun, and that no other one can execute now. */
function explainTaken(id: Id): JsonObject {
  const message =
    'The connection to the replica of this session was lost before the call began. It was not executed; send it again.'
  return { jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message } }
}

/** The answer to a request whose stream is not kept any more. */
function explainUnknown(id: Id): JsonObject {
  return explain(
    id,
    'The answer to this request is not kept, because its replica has ended or it is too old.',
  )
}

function explain(id: Id, reason: string): JsonObject {
  const message = `${reason} It may have been executed.`
  return { jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message } }
}
