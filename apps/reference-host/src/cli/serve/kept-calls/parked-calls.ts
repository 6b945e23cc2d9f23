import {
  acquireLease,
  type ConversationStore,
  isLeaseHeld,
  type Lease,
} from '@toolblocks/conversation-store'
import {
  listPendingQuestions,
  type PendingOptions,
  type PendingQuestion,
  settlePendingQuestion,
  toAnswer,
} from '@toolblocks/inquiry/pending'
import { type AnsweredQuestion, createFailure, type ToolResult } from '@toolblocks/protocol'
import { setTimeout as pause } from 'node:timers/promises'
import { createQueue } from '@toolblocks/protocol/internal'
import { createAgentHost } from '../../../process/agent-host.ts'
import { createRecorder } from '../../../workspace/conversations/record-call.ts'
import {
  isParkedCall,
  type ParkedCall,
  PARKED_CALLS,
} from '../../../workspace/questions/parked-call.ts'
import { type KeptCall, REPETITION_MS } from './kept-call.ts'

/** The calls of one conversation that wait in the store, so that another host can continue them. */
export interface ParkedCalls {
  /** Writes what a call does now. `running`: from now on it may have been executed. Rejects if the store fails. */
  save(kept: KeptCall, state: ParkedCall['state']): Promise<void>
  /** Removes a call whose result is sent now, by its id, a little later: a host that is killed before has perhaps not sent it. */
  forget(id: string): Promise<void>
  /**
   * Takes over the same call of a host that has ended. `undefined`: there is none. Of several hosts, one gets it. `definition`: identifies the present
   * definition of the tool; an answer for another one does not count.
   */
  claim(key: string, definition: string | undefined): Promise<ClaimedCall | undefined>
  /** Says that these calls, and those that wait, end with this host soon: a later host waits for that. Rejects if the store fails. */
  end(calls: readonly KeptCall[]): Promise<void>
  /** Gives all calls to later hosts. */
  close(): Promise<void>
}

/** A call that has waited for people, and was not executed since. */
export interface ContinuedCall {
  /** The id of the call. */
  id: string
  /** Its questions, the oldest first. */
  questions: readonly PendingQuestion[]
  answered: readonly AnsweredQuestion[]
}

/** What is known of a call that another host has begun. */
type ClaimedCall =
  | ({ kind: 'resumed' } & ContinuedCall)
  | { kind: 'ended'; id: string; result: ToolResult; startedAt: Date }
  /** It may have been executed. */
  | { kind: 'interrupted'; id: string; startedAt: Date }

/** Events from the end of a conversation among which the result of a call is searched at once. */
const PAGE = 500

/** Opens the parked calls of a conversation. The lease of the conversation tells other hosts that this one has not ended. */
export function openParkedCalls({
  store,
  conversation,
  pending,
}: {
  store: ConversationStore
  conversation: string
  pending: PendingOptions
}): ParkedCalls {
  const { documents } = store
  const host = createAgentHost()
  const gone = host.isGone ? { isGone: host.isGone } : {}
  /** The versions of the documents, and the conversations before this one, by the ids of the calls. */
  const known = new Map<
    string,
    {
      version: number
      earlier: readonly string[]
      kept?: KeptCall
      state?: ParkedCall['state']
      /** Those from before this host made the call. */
      questions?: readonly PendingQuestion[]
    }
  >()
  /** The calls whose results were sent, until they are removed. */
  const sent = new Map<string, NodeJS.Timeout>()
  let isEnding = false
  const inTurn = createQueue()
  let holding: Promise<Lease | undefined> | undefined

  async function hold(): Promise<void> {
    holding ??= acquireLease(documents, conversation, host).then((acquired) =>
      acquired.ok ? acquired.lease : undefined,
    )
    // The next call tries again.
    holding.catch(() => (holding = undefined))
    await holding
  }

  async function save(kept: KeptCall, state: ParkedCall['state']): Promise<void> {
    const { call, key, startedAt } = kept
    await hold()
    const before = known.get(call.id)
    const { version = 0, earlier = [] } = before ?? {}
    const value = {
      state,
      conversations: [...earlier, conversation],
      startedAt: startedAt.toISOString(),
      ...(isEnding && { isEnding }),
    }
    const document = {
      collection: PARKED_CALLS,
      id: call.id,
      version,
      state: key,
      conversation,
      value,
    }
    const written = await documents.write(document)
    if (!written.ok) throw new Error(`another host has taken over the call ${call.id}`)
    known.set(call.id, { ...before, version: written.document.version, earlier, kept, state })
  }

  async function forget(id: string): Promise<void> {
    const saved = known.get(id)
    if (!saved || sent.has(id)) return
    const timer = setTimeout(
      () => void inTurn(async () => await remove(id)).catch(() => undefined),
      SENT_MS,
    )
    sent.set(id, timer.unref())
    for (const question of saved.questions ?? [])
      await settlePendingQuestion(question.id, { state: 'withdrawn', ...ENDED }, pending)
  }

  async function remove(id: string): Promise<void> {
    const saved = known.get(id)
    clearTimeout(sent.get(id))
    sent.delete(id)
    known.delete(id)
    if (saved) await documents.remove(PARKED_CALLS, id, saved.version)
  }

  async function claim(
    key: string,
    definition: string | undefined,
  ): Promise<ClaimedCall | undefined> {
    const documentList = await documents.list(PARKED_CALLS, { state: key, limit: Infinity })
    for (const { id, version, value } of documentList.documents) {
      if (!isParkedCall(value)) continue
      const owner = value.conversations.at(-1) ?? ''
      if (owner === conversation || known.has(id)) continue
      if (await isOwned(owner, value)) continue
      await hold()
      const conversations = [...value.conversations, conversation]
      const taken = { collection: PARKED_CALLS, id, version, state: key, conversation }
      const { state, startedAt } = value
      const written = await documents.write({
        ...taken,
        value: { state, conversations, startedAt },
      })
      if (!written.ok) continue
      const claimed = await read(id, value, definition)
      const taking = { version: written.document.version, earlier: value.conversations }
      if (claimed?.kind === 'resumed' && claimed.answered.length > 0) {
        // With its answers the call may be executed at once. A later host must not execute it again.
        const running = {
          state: 'running',
          conversations,
          startedAt: new Date().toISOString(),
        } as const
        const begun = await documents.write({ ...taken, version: taking.version, value: running })
        if (!begun.ok) continue
        taking.version = begun.document.version
      }
      if (!claimed) await documents.remove(PARKED_CALLS, id, taking.version)
      else if (claimed.kind === 'resumed')
        known.set(id, { ...taking, questions: claimed.questions })
      else known.set(id, taking)
      if (claimed) return claimed
    }
    return undefined
  }

  async function read(
    id: string,
    { state, conversations, startedAt: started }: ParkedCall,
    definition: string | undefined,
  ): Promise<ClaimedCall | undefined> {
    const startedAt = new Date(started)
    if (state === 'running') {
      if (Date.now() - startedAt.getTime() > REPETITION_MS) return undefined
      const result = await findResult(id, conversations)
      const { handle } = result?.metadata ?? {}
      const isRunning = handle !== undefined && handle.status !== 'stopped'
      const isKnown = result !== undefined && !isRunning
      return isKnown
        ? { kind: 'ended', id, result, startedAt }
        : { kind: 'interrupted', id, startedAt }
    }
    const questions = await listQuestions(id, conversations)
    if (questions.length > 0 && questions.every((each) => each.definition === definition)) {
      await closeEarlier(id, conversations.at(-1) ?? '')
      return { kind: 'resumed', id, questions, answered: toAnswered(questions) }
    }
    // The answer was for another definition, or the questions were deleted: the call begins anew.
    for (const question of questions)
      await settlePendingQuestion(question.id, { state: 'withdrawn', ...CHANGED }, pending)
    return undefined
  }

  /** Whether the host of a call has it still. One that ends is waited for. */
  async function isOwned(owner: string, { isEnding: endsSoon }: ParkedCall): Promise<boolean> {
    const until = performance.now() + (endsSoon ? ENDING_MS : 0)
    for (;;) {
      if (!(await isLeaseHeld(documents, owner, gone))) return false
      if (performance.now() >= until) return true
      await pause(POLL_MS)
    }
  }

  async function listQuestions(
    id: string,
    conversations: readonly string[],
  ): Promise<readonly PendingQuestion[]> {
    const lists = await Promise.all(
      conversations.map(
        async (each) => await listPendingQuestions({ conversation: each }, pending),
      ),
    )
    return lists.flatMap(({ questions }) => questions.filter(({ call }) => call.id === id))
  }

  /** Finds how a call has ended. A call that was cancelled with its host, or continues in a later conversation, has no result. */
  async function findResult(
    id: string,
    conversations: readonly string[],
  ): Promise<ToolResult | undefined> {
    for (const each of conversations.toReversed()) {
      let before = Infinity
      while (before > 1) {
        const { events } = await store.read(each, { before, limit: PAGE })
        for (const { event } of events)
          if (event.type === 'tool_result' && event.result.id === id && isEnd(event.result))
            return event.result
        before = events[0]?.seq ?? 0
      }
    }
    return undefined
  }

  /** Says in the conversation in which a call has waited that it continues elsewhere. */
  async function closeEarlier(id: string, earlier: string): Promise<void> {
    const text = `The call continues in the conversation ${conversation}.`
    const result = { ...createFailure(text, 'cancelled'), id }
    await createRecorder(store, earlier)({ type: 'tool_result', result })
  }

  return {
    save: async (kept, state) => await inTurn(async () => await save(kept, state)),
    forget: async (id) => await inTurn(async () => await forget(id)),
    claim,
    end: async (calls) => {
      isEnding = true
      const waiting = [...known.values()].flatMap(({ kept, state }) =>
        kept && state === 'waiting' ? [{ kept, state }] : [],
      )
      const running = calls.map((kept) => ({ kept, state: 'running' as const }))
      for (const { kept, state } of [...running, ...waiting])
        await inTurn(async () => await save(kept, state))
    },
    close: async () => {
      for (const id of sent.keys())
        await inTurn(async () => await remove(id)).catch(() => undefined)
      const lease = await holding?.catch(() => undefined)
      await lease?.release()
    },
  }
}

function isEnd({ metadata }: ToolResult): boolean {
  return metadata?.outcome !== 'cancelled'
}

/** Milliseconds in which a result is on its way to the client. */
const SENT_MS = 3000

const ENDED = { by: 'serve', reason: 'its call has ended' }
/** Milliseconds that a host which ends is waited for. */
const ENDING_MS = 6000
const POLL_MS = 100

const CHANGED = { by: 'serve', reason: 'the definition of its tool has changed' }

/** Returns the settled questions of a tool with their answers. */
function toAnswered(questions: readonly PendingQuestion[]): readonly AnsweredQuestion[] {
  return questions.flatMap((question) => {
    const answer = question.kind === 'question' ? toAnswer(question) : undefined
    return answer ? [{ request: question.request, answer, blocks: question.blocks }] : []
  })
}
