import {
  type AskingClient,
  createPendingPorts,
  type PendingOptions,
  type PendingPorts,
  type PendingQuestion,
} from '@toolblocks/inquiry/pending'
import {
  type AnswerQuestion,
  type Approval,
  booleanQuestion,
  isSecret,
  type JsonObject,
  type QuestionContext,
} from '@toolblocks/protocol'
import { isRepeatable, shortenText } from '@toolblocks/protocol/internal'
import type { ApproveCall } from '@toolblocks/tool-executor'
import { createAgentHost } from '../../../process/agent-host.ts'
import type { KeptCall } from './kept-call.ts'
import type { ParkedCalls } from './parked-calls.ts'

/** The people who are asked about a call. */
export interface CallPeople {
  /** Answers its questions. Absent: nobody can. */
  user?: AnswerQuestion
  /** Decides whether it may run. */
  approve: ApproveCall
}

/** How questions wait in a store. */
export interface StoredQuestions {
  pending: PendingOptions
  parked: ParkedCalls
  conversation: string
  /** Returns the number of the present turn. */
  turn: () => number
  getDefinition: (tool: string) => string | undefined
  /** The client that makes the calls, as it names itself. Absent: unknown. */
  client?: AskingClient
  expireMs: (tool: string) => number | undefined
  /** Tells a person about a question. */
  notify?: (question: PendingQuestion) => void
}

/** Characters of a name and of a version that are kept. */
const MAX_CLIENT_TEXT = 80

/** Reads how a client names itself. `undefined`: it has no name. */
export function readAskingClient(info: JsonObject | undefined): AskingClient | undefined {
  const { name, version } = info ?? {}
  if (typeof name !== 'string' || name.trim() === '') return undefined
  return {
    name: shortenText(name, MAX_CLIENT_TEXT),
    ...(typeof version === 'string' && { version: shortenText(version, MAX_CLIENT_TEXT) }),
  }
}

/** Why a call ends when its service does: its open question stays, for a later host. */
export const SERVICE_ENDED = new Error('the service has ended')

/** What is known and done when nobody decides about a call. */
export interface UndecidedCalls {
  /** Why the call cannot wait for a person in a store, as it follows "because". Absent: unknown. */
  unstored?: string | undefined
  /** Reports to the person who has started the service that a call of a tool was denied, and why. */
  report?: ((tool: string, reason: string) => void) | undefined
}

const HOW_TO_SETTLE =
  'to allow this call, set run = "unattended" for the tool, add a rule with --allow-tool or "toolblocks approvals allow", or start "toolblocks serve" with --trust-client, which accepts the approval of the client'

/** Denies a call about which nobody could decide, and says how to allow it. */
function denyUndecided(tool: string, { unstored, report }: UndecidedCalls): Approval {
  const unparked =
    unstored === undefined ? '' : `, and the call could not wait for a person, because ${unstored}`
  const reason = `the user of the client could not be asked${unparked}; ${HOW_TO_SETTLE}`
  report?.(tool, reason)
  return { decision: 'denied', reason }
}

/** Asks the user of a client through the client itself, while the call runs. A client that cannot ask gets an explanation of how to allow the call. */
export function askClient(
  user: AnswerQuestion | undefined,
  undecided: UndecidedCalls = {},
): CallPeople {
  return {
    ...(user && { user }),
    approve: async (call, { formatted, entry: { server }, signal }): Promise<Approval> => {
      if (!user) return denyUndecided(call.name, undecided)
      const text = `Run ${call.name}${server === undefined ? '' : ` of the server ${server}`}?`
      const answer = await user(booleanQuestion({ id: 'run', text }), {
        blocks: formatted?.content ?? [
          { type: 'text', text: JSON.stringify(call.arguments, null, 2) },
        ],
        source: { kind: 'question', call },
        signal,
      })
      switch (answer.action) {
        case 'accept':
          return answer.value === true
            ? { decision: 'allowed' }
            : { decision: 'denied', reason: 'by the user' }
        case 'decline':
          return { decision: 'denied', reason: 'by the user' }
        case 'cancel':
          return answer.reason === 'nobody' || answer.reason === 'failed'
            ? denyUndecided(call.name, undecided)
            : { decision: 'cancelled' }
      }
    },
  }
}

/** Asks people through the store, and through the client as well if it can ask. The first answer counts. */
export function askThroughStore(
  kept: KeptCall,
  {
    stored,
    user,
    earlier = [],
  }: {
    stored: StoredQuestions
    /** The user of the client. */
    user?: AnswerQuestion | undefined
    /** The questions of the call from before this host made it. */
    earlier?: readonly PendingQuestion[]
  },
): CallPeople {
  const { pending, parked, conversation, turn, getDefinition, client, expireMs, notify } = stored
  let ports: PendingPorts<Parameters<ApproveCall>[1]> | undefined

  function setQuestion(question: PendingQuestion | undefined): void {
    if (question) kept.question = question
    else delete kept.question
    kept.onChange?.()
  }

  // The turn of the call is known once it is recorded.
  const getPorts = (): NonNullable<typeof ports> =>
    (ports ??= createPendingPorts({
      pending,
      waiting: {
        whenUnanswered: 'wait',
        expireMs,
        onOpen: (question) => {
          setQuestion(question)
          notify?.(question)
        },
        onStillOpen: setQuestion,
        staysOpen: (reason) => reason === SERVICE_ENDED,
      },
      conversation,
      turn: turn(),
      agents: [],
      ...(client && { client }),
      host: createAgentHost().holder,
      people: user ? askClient(keepAsking(user)) : {},
      getDefinition,
      earlier,
      park: () => (kept.isParked = true),
    }))

  /** Asks while the store says whether the call is executed meanwhile: a later host continues only a call that is not. */
  async function ask<Value>(
    isExecuted: boolean,
    work: () => Promise<Value>,
    continues: (value: Value) => boolean,
  ): Promise<Value> {
    await parked.save(kept, isExecuted ? 'running' : 'waiting')
    try {
      const value = await work()
      if (continues(value)) await parked.save(kept, 'running')
      return value
    } finally {
      setQuestion(undefined)
    }
  }

  return {
    user: async (request, asking) => {
      if (isSecret(request) || request.url !== undefined)
        return user ? await user(request, asking) : { action: 'cancel', reason: 'nobody' }
      return await ask(
        !isRepeatable(asking.source),
        async () => await getPorts().user(request, withCall(asking, kept)),
        ({ action }) => action === 'accept',
      )
    },
    approve: async (call, material) =>
      await ask(
        false,
        async () => await getPorts().approve(call, material),
        ({ decision }) => decision === 'allowed',
      ),
  }
}

/** A server that does not say which of its running calls asks has one client, whose people see one of these calls and that it may be another one. */
function withCall(asking: QuestionContext, { call }: KeptCall): QuestionContext {
  const { source } = asking
  if (source.kind !== 'elicitation' || source.call) return asking
  const text =
    'Several calls of this server run. It does not say which of them asks; one of them is shown.'
  return {
    ...asking,
    source: { ...source, call },
    blocks: [{ type: 'text', text }, ...asking.blocks],
  }
}

/** Milliseconds in which nobody reads a question. Hosts without a screen decline at once. */
const UNREAD_MS = 300

/** A client that shows a question to nobody, or whose user leaves it, gives no answer: another person can. */
function keepAsking(user: AnswerQuestion): AnswerQuestion {
  return async (request, context) => {
    const begun = performance.now()
    const answer = await user(request, context)
    const isUnread = answer.action === 'decline' && performance.now() - begun < UNREAD_MS
    const { signal } = context
    if (signal.aborted || (answer.action !== 'cancel' && !isUnread)) return answer
    const { promise, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    return answer
  }
}
