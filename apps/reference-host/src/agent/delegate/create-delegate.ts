import { randomUUID } from 'node:crypto'
import {
  type AnswerQuestion,
  createErrorResult,
  createSuccessResult,
  type JsonObject,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import type { AskApproval } from '../../approvals/create-approver.ts'
import type { AgentConfiguration } from '../../configuration/configuration.ts'
import { DEFAULT_AGENT_SECONDS } from '../../configuration/agent-schema.ts'
import { ModelError } from '../../model/model-error.ts'
import type { OpenConversation } from '../../turn/open-conversation.ts'
import type { ShowMoment, TurnEnd } from '../../turn/run-turn.ts'
import type { AgentPeople } from '../agent.ts'
import type { TurnPorts } from '../create-player.ts'
import { startTimeLimit, type TimeLimit } from './bound-agent.ts'
import { DELEGATE } from './delegate-name.ts'
import { withParent } from './parent-of.ts'

/** A conversation that an agent leads. */
export interface AgentConversation {
  conversation: OpenConversation
  /** Tokens that it has taken until now. */
  tokens(): number
  play(task: string, signal: AbortSignal, show: ShowMoment): Promise<TurnEnd>
  close(): Promise<void>
}

/** How the tool works. */
export interface DelegateOptions extends TurnPorts {
  /** Those that can be started from here. */
  agents: Readonly<Record<string, AgentConfiguration>>
  /** Opens a new conversation of an agent under an id; what its people are asked says whose it is. */
  open(
    name: string,
    id: string,
    people: Pick<AgentPeople, 'user' | 'approve'>,
  ): Promise<{ ok: true; opened: AgentConversation } | { ok: false; message: string }>
  /** The conversation that delegates. */
  conversationId: string
}

/** Makes the tool with which a model hands work over to an agent: a conversation of its own, whose last message is the result. */
export function createDelegate(options: DelegateOptions): Tool {
  return {
    ...describeDelegate(options.agents),
    execute: async (call, context) => await delegate(call, context, options),
  }
}

/** What a model is told of the tool. */
export function describeDelegate(agents: DelegateOptions['agents']): ToolDefinition {
  const lines = Object.entries(agents).map(([name, { summary }]) => `- ${name}: ${summary}`)
  return {
    name: DELEGATE,
    summary: `Hands work over to an agent, which has a conversation of its own and knows only the task that it is given; the result is what it says last.\n${lines.join('\n')}`,
    inputSchema: {
      type: 'object',
      properties: {
        agent: { type: 'string', enum: Object.keys(agents), description: 'Who does the work.' },
        task: {
          type: 'string',
          minLength: 1,
          description: 'All that the agent has to know, and what it is to answer with.',
        },
      },
      required: ['agent', 'task'],
      additionalProperties: false,
    },
  }
}

async function delegate(
  call: ToolCall,
  { signal }: ToolContext,
  { agents, open, conversationId: parent, people, show, aroundWait }: DelegateOptions,
): Promise<ToolResult> {
  const name = String(call.arguments['agent'])
  const agent = agents[name]
  if (!agent) return createErrorResult(`There is no agent "${name}".`)
  const id = randomUUID()
  const limit = startTimeLimit((agent.timeout_secs ?? DEFAULT_AGENT_SECONDS) * 1000)
  try {
    const waitFor: WaitFor = async (wait) =>
      await limit.pausedFor(async () => await aroundWait(call.id, wait))
    const started = await open(name, id, askedFor(name, people, waitFor))
    if (!started.ok)
      return createErrorResult(`The agent "${name}" cannot work: ${started.message}.`)
    const { opened } = started
    const known = { conversationId: id, agent: name }
    try {
      await opened.conversation.record({
        type: 'configuration',
        values: withParent(valuesOf(name, agent), { conversationId: parent, callId: call.id }),
      })
      const both = AbortSignal.any([signal, limit.signal])
      const end = await opened.play(String(call.arguments['task']), both, async (moment) => {
        await show({ type: 'delegated', agent: name, moment })
      })
      return conclude(end, { opened, agent, isTimeOver: limit.signal.aborted, known })
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return createErrorResult(`The agent "${name}" was stopped: ${error.message}.`, undefined, {
        ...known,
        tokens: opened.tokens(),
      })
    } finally {
      await opened.close()
    }
  } finally {
    limit.clear()
  }
}

/** What its conversation is led with, for whoever reads or resumes it. */
function valuesOf(name: string, { model, tools, instructions }: AgentConfiguration): JsonObject {
  return {
    agent: name,
    ...(model !== undefined && { model }),
    ...(tools && { tools: [...tools] }),
    ...(instructions !== undefined && { instructions }),
  }
}

function conclude(
  end: TurnEnd,
  {
    opened,
    agent,
    isTimeOver,
    known,
  }: {
    opened: AgentConversation
    agent: AgentConfiguration
    isTimeOver: boolean
    known: { conversationId: string; agent: string }
  },
): ToolResult {
  const metadata = { ...known, tokens: opened.tokens() }
  const fail = (why: string, outcome: 'failed' | 'timeout' | 'cancelled'): ToolResult =>
    createErrorResult(`The agent "${known.agent}" ${why}.`, undefined, { ...metadata, outcome })
  switch (end) {
    case 'rests': {
      const content = lastWords(opened.conversation)
      return content.length === 0
        ? fail('ended without an answer', 'failed')
        : createSuccessResult(content, undefined, metadata)
    }
    case 'aborted':
      return isTimeOver
        ? fail(
            `was stopped after ${agent.timeout_secs ?? DEFAULT_AGENT_SECONDS} seconds; what it did until then stands`,
            'timeout',
          )
        : fail('was stopped; what it did until then stands', 'cancelled')
    case 'too-long':
      return fail('went on calling tools and was stopped', 'failed')
    case 'cut':
      return fail('was stopped, because its messages were cut', 'failed')
  }
}

function lastWords(conversation: OpenConversation) {
  const last = conversation.events().findLast(({ event }) => event.type === 'assistant_message')
  return last?.event.type === 'assistant_message' ? last.event.content : []
}

type WaitFor = TimeLimit['pausedFor']

/** A person reads whose question it is, and takes their time. */
function askedFor(
  agent: string,
  { user, approve }: Pick<AgentPeople, 'user' | 'approve'>,
  waitFor: WaitFor,
): Pick<AgentPeople, 'user' | 'approve'> {
  const answer: AnswerQuestion | undefined =
    user &&
    (async (request, context) =>
      await waitFor(
        async () => await user({ ...request, text: `Agent ${agent}: ${request.text}` }, context),
      ))
  const decide: AskApproval | undefined =
    approve &&
    (async (call, material) =>
      await waitFor(
        async () =>
          await approve(call, { ...material, agents: [agent, ...(material.agents ?? [])] }),
      ))
  return { ...(answer && { user: answer }), ...(decide && { approve: decide }) }
}
