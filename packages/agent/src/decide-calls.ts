import { isDeepStrictEqual } from 'node:util'
import type { ApprovalEvent } from '@toolblocks/conversation-store'
import type {
  Answer,
  AnswerQuestion,
  Approval,
  InputRequest,
  QuestionContext,
  ToolCall,
} from '@toolblocks/protocol'
import {
  type QueueAbort,
  createQueue,
  PORT_GRACE_MS,
  withinGrace,
} from '@toolblocks/protocol/internal'
import type {
  ApproveCall,
  ApplyRules,
  RuleVerdict,
  ToolExecutorOptions,
} from '@toolblocks/tool-executor'
import type { Conversation } from './open-conversation.ts'

/** The origin of a call that needs a decision. */
export interface CallOrigin {
  /** The id of the conversation. */
  conversation: string
  /** The agents that started the call, the outermost first. Empty if the conversation's own model made the call. */
  agents: readonly string[]
}

/** The functions through which people decide about calls and answer questions. Each receives the conversation, because ids of calls are unique only in it. */
export interface AgentPorts {
  /** Answers the questions of tools. Absent: no person is available. */
  user?: (request: InputRequest, context: QuestionContext & CallOrigin) => Promise<Answer>
  /** Decides about a call by rules, without asking a person; see `ApplyRules`. Default: the policy of the tool decides. */
  decide?: (
    call: ToolCall,
    material: Parameters<ApplyRules>[1] & CallOrigin,
  ) => Promise<RuleVerdict | undefined>
  /** Decides about a call that needs a person; see `ApproveCall`. With `by`, a rule has decided. Absent: such calls are denied. */
  approve?: (
    call: ToolCall,
    material: Parameters<ApproveCall>[1] & CallOrigin,
  ) => Promise<Approval & { by?: 'rule' } & Partial<Pick<RuleVerdict, 'rule' | 'source'>>>
}

/** The executor's approval options. Each decision is recorded before it takes effect. */
export function recordDecisions(
  { decide, approve }: AgentPorts,
  {
    conversation,
    agents,
    isParked,
  }: {
    conversation: Conversation
    agents: readonly string[]
    isParked: (call: string) => boolean
  },
): Pick<ToolExecutorOptions, 'decide' | 'approve'> {
  const origin = { conversation: conversation.id, agents }

  /** A call that is made again has its decision already. */
  async function record(decision: Omit<ApprovalEvent, 'type'>): Promise<void> {
    const event: ApprovalEvent = { type: 'approval', ...decision }
    const last = conversation
      .events()
      .findLast(
        ({ event: { type, ...rest } }) =>
          type === 'turn_start' ||
          ('callId' in rest && rest.callId === event.callId && type === 'approval'),
      )
    if (!isDeepStrictEqual(last?.event, event)) await conversation.record(event)
  }

  return {
    ...(decide && {
      decide: async (call, material) => {
        const verdict = await decide(call, { ...material, ...origin })
        if (verdict && verdict.effect !== 'ask') {
          const { effect, rule, source } = verdict
          const decision = effect === 'allow' ? 'allowed' : 'denied'
          await record({ callId: call.id, decision, by: 'rule', rule, source })
        }
        return verdict
      },
    }),
    ...(approve && {
      approve: async (call, material) => {
        const {
          by = 'user',
          rule,
          source,
          ...approval
        } = await approve(call, { ...material, ...origin })
        const which = {
          ...(rule !== undefined && { rule }),
          ...(source !== undefined && { source }),
        }
        if (!isParked(call.id)) await record({ callId: call.id, by, ...which, ...approval })
        return approval
      },
    }),
  }
}

/** Adds the origin of each question to what a person receives. The origin of a decision is added by `recordDecisions`. */
export function withOrigin(
  { user, ...deciding }: AgentPorts,
  origin: CallOrigin,
): Omit<AgentPorts, 'user'> & { user?: AnswerQuestion } {
  if (!user) return deciding
  return {
    ...deciding,
    user: async (request, context) => await user(request, { ...context, ...origin }),
  }
}

/** Says in the text of each question which agent asks. */
export function withAgentName({ user, ...deciding }: AgentPorts, name: string): AgentPorts {
  if (!user) return deciding
  return {
    ...deciding,
    user: async (request, context) =>
      await user({ ...request, text: `Agent ${name}: ${request.text}` }, context),
  }
}

/**
 * Asks the people of an agent one thing at a time, also for the agents to which it delegates. A question that is settled elsewhere before its turn is
 * not asked here. A port that does not settle after an abort does not block the next question.
 */
export function askInTurn({ user, approve, ...people }: AgentPorts): AgentPorts {
  const queue = createQueue()
  const inTurn = async <Value>(
    ask: () => Promise<Value>,
    { signal, whenAborted }: QueueAbort<Value>,
  ): Promise<Value> =>
    await queue(
      async () => await withinGrace(ask, { signal, ms: PORT_GRACE_MS, whenLate: whenAborted }),
      { signal, whenAborted },
    )
  return {
    ...people,
    ...(user && {
      user: async (request, context) =>
        await inTurn(async () => await user(request, context), {
          signal: context.signal,
          whenAborted: () => ({ action: 'cancel', reason: 'aborted' }),
        }),
    }),
    ...(approve && {
      approve: async (call, material) =>
        await inTurn(async () => await approve(call, material), {
          signal: material.signal,
          whenAborted: () => ({ decision: 'cancelled' }),
        }),
    }),
  }
}
