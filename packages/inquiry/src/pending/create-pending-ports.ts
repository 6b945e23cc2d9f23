import { requireArguments, requireChoices, isRepeatable } from '@toolblocks/protocol/internal'
import {
  type Answer,
  type AnswerQuestion,
  type Approval,
  booleanQuestion,
  type InputRequest,
  isSecret,
  type QuestionContext,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { prepareQuestion } from '../questions/prepare-question.ts'
import { withoutSecrets } from '../questions/question-log.ts'
import { type AskingClient, type PendingQuestion, SettledElsewhere } from './pending-question.ts'
import {
  awaitPendingQuestion,
  type NewSettlement,
  openPendingQuestion,
  type PendingOptions,
  settlePendingQuestion,
  type SettleResult,
  toAnswer,
} from './pending-questions.ts'

/** How questions and approvals wait for people in a store. */
export interface WaitingOptions {
  /**
   * What happens to a question while nobody answers. `park`: its call waits in the store, and the turn ends. `wait`: the turn waits for an answer, here or
   * from elsewhere. Default: `wait`.
   */
  whenUnanswered?: 'park' | 'wait'
  /** Milliseconds after which a question of a tool expires. Default: it does not expire. */
  expireMs?: (tool: string) => number | undefined
  /** Receives each question when it is open in the store, for example to notify a person. */
  onOpen?: (question: PendingQuestion) => void
  /** Receives each question that was already open when its call asks it again, for example because another host has ended. */
  onStillOpen?: (question: PendingQuestion) => void
  /** Receives each question of this host that was settled elsewhere. */
  onSettledElsewhere?: (question: PendingQuestion) => void
  /**
   * Whether an open question stays open when its call is aborted with this reason, for example because the host must end. Default: it is withdrawn,
   * because a person has cancelled its call.
   */
  staysOpen?: (reason: unknown) => boolean
}

/** Decides about a call; `ApproveCall` of `@toolblocks/tool-executor` is one. */
type DecideCall<Material> = (
  call: ToolCall,
  material: Material & { signal: AbortSignal },
) => Promise<Approval>

/** What the question of an approval says of the call; `ApprovalMaterial` of `@toolblocks/tool-executor` is one. */
export interface CallToApprove {
  /** The tool's own rendering of the call. */
  formatted?: ToolResult
  /** The tool that would run. */
  entry?: {
    /** The name of the MCP server that has the tool. Absent: no server. */
    server?: string
  }
}

/** Options of `createPendingPorts`. */
export interface PendingPortsOptions<Material> {
  pending: PendingOptions
  waiting: WaitingOptions
  /** The id of the conversation. */
  conversation: string
  /** The present turn, counted from 1. */
  turn: number
  /** The agents whose calls ask, the outermost first. */
  agents: readonly string[]
  /** The MCP client that made the calls, for display. Absent: this host's own model made them. */
  client?: AskingClient
  /** The name of this host. */
  host: string
  /** The people at this host. Absent: questions are answered from elsewhere only. */
  people: {
    /** Answers questions. */
    user?: AnswerQuestion
    /** Decides about calls. */
    approve?: DecideCall<Material>
  }
  /** Identifies the present definition of a tool. `undefined`: there is no such tool. */
  getDefinition: (tool: string) => string | undefined
  /** Pending questions of the same turn from before this host ran it. */
  earlier: readonly PendingQuestion[]
  /** Must abort the call of a question that now waits in the store. */
  park: (question: PendingQuestion) => void
}

/** The ports that ask people, here and through the store. The first answer counts. */
export interface PendingPorts<Material> {
  user: AnswerQuestion
  approve: DecideCall<Material>
}

/** How one kind of question is asked and answered. */
interface PendingExchange<Value> {
  signal: AbortSignal
  /** What the call receives if it ends without an answer. */
  ended: Value
  /** Asks the person at this host. Absent: nobody is here. */
  askHere: ((signal: AbortSignal) => Promise<Value>) | undefined
  /** Reads the answer of a settled question. */
  read: (settled: PendingQuestion) => Value
  /** Converts an answer of this host. `undefined`: it is invalid, and the question stays open. */
  toSettlement: (value: Value) => OwnSettlement | undefined | Promise<OwnSettlement | undefined>
}

/** What becomes of an open question at this host. */
type OwnSettlement = Omit<NewSettlement, 'by'>

/** Creates ports that open each question in the store, so that it can be answered from elsewhere too. */
export function createPendingPorts<Material extends CallToApprove>(
  asking: PendingPortsOptions<Material>,
): PendingPorts<Material> {
  requireArguments('createPendingPorts(asking)', [
    asking,
    { pending: 'object', people: 'object', earlier: 'iterable' },
  ])
  requireChoices('createPendingPorts(asking)', 'asking.waiting', asking.waiting, {
    whenUnanswered: ['park', 'wait'],
  })
  const { people, waiting } = asking
  /** Open questions: those from before, and those whose answer here was invalid. */
  const open = new Map(asking.earlier.map((question) => [getKey(question), question]))
  const isParking = waiting.whenUnanswered === 'park'

  async function openQuestion(
    question: Pick<PendingQuestion, 'kind' | 'call' | 'request' | 'blocks' | 'isRepeatable'> &
      Pick<Partial<PendingQuestion>, 'after' | 'server'>,
  ): Promise<PendingQuestion> {
    const { call, request } = question
    const key = getKey(question)
    const known = open.get(key)
    const definition = asking.getDefinition(call.name) ?? ''
    if (known?.state === 'open' && known.definition === definition) {
      waiting.onStillOpen?.(known)
      return known
    }
    const expireMs = waiting.expireMs?.(call.name)
    const { agents, client } = asking
    const opened = await openPendingQuestion(
      {
        ...question,
        conversation: asking.conversation,
        turn: asking.turn,
        ...(agents.length > 0 && { agents }),
        ...(client && { client }),
        isLocal: isSecret(request) || request.url !== undefined,
        definition,
        host: asking.host,
        ...(expireMs !== undefined && { expireMs }),
      },
      asking.pending,
    )
    open.set(key, opened)
    waiting.onOpen?.(opened)
    return opened
  }

  async function settle(
    question: PendingQuestion,
    settlement: OwnSettlement,
  ): Promise<SettleResult> {
    const settled = await settlePendingQuestion(
      question.id,
      { ...settlement, by: asking.host },
      asking.pending,
    )
    open.delete(getKey(question))
    return settled
  }

  /** Ends a question whose call was aborted, or leaves it open. */
  async function abort(question: PendingQuestion, { reason }: AbortSignal): Promise<void> {
    if (question.isRepeatable && waiting.staysOpen?.(reason)) asking.park(question)
    else await settle(question, { state: 'withdrawn', reason: 'the call was cancelled' })
  }

  /** Asks here, if a person is here, and waits for the store. Resolves to the first of both. */
  async function race<Value>(
    question: PendingQuestion,
    signal: AbortSignal,
    askHere: ((signal: AbortSignal) => Promise<Value>) | undefined,
  ): Promise<{ here: Value } | { elsewhere: PendingQuestion } | 'aborted'> {
    const over = new AbortController()
    const both = AbortSignal.any([signal, over.signal])
    const elsewhere = awaitPendingQuestion(question.id, { ...asking.pending, signal: both })
    const here = askHere?.(both)
    try {
      const first = await Promise.race([
        elsewhere.then((settled) => (settled ? { elsewhere: settled } : ('aborted' as const))),
        ...(here ? [here.then((value) => ({ here: value }))] : []),
      ])
      if (first === 'aborted' && here && !signal.aborted) return { here: await here }
      if (first !== 'aborted' && 'elsewhere' in first) {
        open.delete(getKey(question))
        over.abort(new SettledElsewhere(first.elsewhere))
        await here?.catch(() => undefined)
        waiting.onSettledElsewhere?.(first.elsewhere)
        return first
      }
      return signal.aborted ? 'aborted' : first
    } finally {
      over.abort()
    }
  }

  /** Asks an open question until this host or another place has settled it. */
  async function resolve<Value>(
    question: PendingQuestion,
    { signal, askHere, ended, read, toSettlement }: PendingExchange<Value>,
  ): Promise<Value> {
    if (!askHere && isParking) {
      asking.park(question)
      return ended
    }
    const came = await race(question, signal, askHere)
    if (came === 'aborted') {
      await abort(question, signal)
      return ended
    }
    if ('elsewhere' in came) return read(came.elsewhere)
    const settlement = await toSettlement(came.here)
    if (!settlement) return came.here
    const settled = await settle(question, settlement)
    if (settled.ok || !settled.question) return came.here
    waiting.onSettledElsewhere?.(settled.question)
    return read(settled.question)
  }

  async function ask(request: InputRequest, context: QuestionContext): Promise<Answer> {
    const { source, blocks, after, signal } = context
    const { call } = source
    const { user } = people
    const isAskable = isRepeatable(source)
    if (!call || (!user && isParking && !isAskable))
      return user
        ? await user(request, context)
        : { action: 'cancel', reason: 'nobody', message: CANNOT_WAIT }
    const question = await openQuestion({
      kind: 'question',
      call,
      request: withoutSecrets(request),
      blocks,
      ...(after && after.length > 0 && { after }),
      ...(source.kind === 'elicitation' && { server: source.server }),
      isRepeatable: isAskable,
    })
    return await resolve(question, {
      signal,
      ended: ABORTED,
      askHere: user && (async (both) => await user(request, { ...context, signal: both })),
      read: (settled) => toAnswer(settled) ?? ABORTED,
      toSettlement: async (answer) =>
        answer.action === 'accept' && !(await isValid(answer.value, request))
          ? undefined
          : fromAnswer(answer, question),
    })
  }

  async function approve(
    call: ToolCall,
    material: Material & { signal: AbortSignal },
  ): Promise<Approval> {
    const { formatted, entry: { server } = {}, signal } = material
    const earlier = open.get(getKey({ kind: 'approval', call, request: APPROVAL }))
    const isCurrent = earlier?.definition === asking.getDefinition(call.name)
    if (earlier && isCurrent && earlier.state !== 'open') return toApproval(earlier)
    const question = await openQuestion({
      kind: 'approval',
      call,
      request: { ...APPROVAL, text: `Run ${call.name}?` },
      blocks: formatted?.content ?? [],
      ...(server !== undefined && { server }),
      isRepeatable: true,
    })
    const decide = people.approve
    return await resolve(question, {
      signal,
      ended: { decision: 'cancelled' },
      askHere: decide && (async (both) => await decide(call, { ...material, signal: both })),
      read: toApproval,
      toSettlement: fromApproval,
    })
  }

  return { user: ask, approve }
}

const CANNOT_WAIT = 'its call cannot be made again, so the question cannot wait for one'

const ABORTED: Answer = { action: 'cancel', reason: 'aborted' }

const APPROVAL = booleanQuestion({ id: 'approval', text: '' })

function getKey({
  kind,
  call,
  request,
}: Pick<PendingQuestion, 'kind' | 'call' | 'request'>): string {
  const { id, schema, text } = request
  return JSON.stringify(kind === 'approval' ? [kind, call.id] : [kind, call.id, id, text, schema])
}

/** Whether an answer is not known to be invalid. The question is asked again after an invalid one. */
async function isValid(value: unknown, request: InputRequest): Promise<boolean> {
  const prepared = await prepareQuestion(request)
  return prepared.ok && prepared.question.check(value).verdict !== 'invalid'
}

/** A secret is never stored. */
function fromAnswer(answer: Answer, { isLocal }: PendingQuestion): OwnSettlement {
  switch (answer.action) {
    case 'accept':
      return { state: 'answered', ...(!isLocal && { value: answer.value }) }
    case 'decline':
      return { state: 'declined' }
    case 'cancel':
      return answer.reason === 'expired'
        ? { state: 'expired' }
        : { state: 'withdrawn', reason: answer.message ?? 'the question was cancelled' }
  }
}

function toApproval({ state, settled }: PendingQuestion): Approval {
  switch (state) {
    case 'answered':
      return settled?.value === true
        ? { decision: 'allowed', ...(settled.arguments && { arguments: settled.arguments }) }
        : { decision: 'denied' }
    case 'declined':
      return {
        decision: 'denied',
        ...(settled?.reason !== undefined && { reason: settled.reason }),
      }
    case 'expired':
      return { decision: 'expired' }
    case 'open':
    case 'withdrawn':
      return { decision: 'cancelled' }
  }
}

function fromApproval(approval: Approval): OwnSettlement {
  switch (approval.decision) {
    case 'allowed':
      return {
        state: 'answered',
        value: true,
        ...(approval.arguments && { arguments: approval.arguments }),
      }
    case 'denied':
      return {
        state: 'declined',
        ...(approval.reason !== undefined && { reason: approval.reason }),
      }
    case 'cancelled':
      return { state: 'withdrawn', reason: 'the approval was cancelled' }
    case 'expired':
      return { state: 'expired' }
  }
}
