import type { ToolEntry } from '@toolblocks/tool-executor'
import type { AgentConfiguration, ModelConfiguration } from '../../configuration/configuration.ts'
import { openModel } from '../../model/open-model.ts'
import { openConversation } from '../../turn/open-conversation.ts'
import type { AgentTools } from '../agent-tools.ts'
import { createPlayer, type Player, type PlayerParts } from '../create-player.ts'
import { countTokens } from './bound-agent.ts'
import { type AgentConversation, createDelegate, type DelegateOptions } from './create-delegate.ts'

/** Plays the turns of a conversation whose model can hand work over to the configured agents. */
export function createDelegatingPlayer(parts: PlayerParts): Player {
  return createPlayerAt(parts, { depth: 0, model: parts.configuration.model })
}

/** Where a conversation stands. */
interface Place {
  /** How far below the conversation of the person. */
  depth: number
  /** What `[model]` says: for every agent what its own table says nothing of, whoever has started it. */
  model: ModelConfiguration | undefined
}

function createPlayerAt(parts: PlayerParts, place: Place): Player {
  const { depth } = place
  const agents = agentsAt(parts.configuration.agents, depth + 1)
  if (Object.keys(agents).length === 0) return createPlayer(parts)
  return createPlayer({
    ...parts,
    ownTools: (turn): readonly ToolEntry[] => {
      const tool = createDelegate({
        agents,
        conversationId: parts.stored.conversation.id,
        ...turn,
        open: async (name, id, asked) =>
          await openAgentConversation(
            agents[name],
            id,
            { ...parts, people: asked },
            { ...place, depth: depth + 1 },
          ),
      })
      return [{ tool, policy: 'unattended' }]
    },
  })
}

/** The agents that may be started so far below the conversation of the person. */
export function agentsAt(
  agents: Readonly<Record<string, AgentConfiguration>>,
  depth: number,
): Readonly<Record<string, AgentConfiguration>> {
  return Object.fromEntries(
    Object.entries(agents).filter(([, { max_depth: deepest = 1 }]) => depth <= deepest),
  )
}

async function openAgentConversation(
  agent: AgentConfiguration | undefined,
  id: string,
  parts: PlayerParts,
  place: Place,
): ReturnType<DelegateOptions['open']> {
  if (!agent) return { ok: false, message: 'there is no such agent' }
  const { configuration, stored, format } = parts
  const { model: name, instructions, max_output_tokens: most } = agent
  const settings = {
    ...place.model,
    ...(name !== undefined && { name }),
    ...(instructions !== undefined && { instructions }),
    ...(most !== undefined && { max_output_tokens: most }),
  }
  const own = parts.profile?.()
  const model =
    name === undefined
      ? { ok: true as const, model: parts.model, ...(own && { profile: own }) }
      : await openModel(settings, { environment: process.env, format })
  if (!model.ok) return model
  const { profile } = model
  const counted = countTokens(model.model, agent.max_tokens)
  const conversation = await openConversation(stored.store, id)
  const player = createPlayerAt(
    {
      ...parts,
      configuration: { ...configuration, model: settings },
      model: counted.model,
      profile: () => profile,
      stored: { ...stored, conversation },
      tools: onlySome(parts.tools, agent.tools),
    },
    place,
  )
  const opened: AgentConversation = {
    conversation,
    tokens: counted.tokens,
    play: async (task, signal, show) =>
      await player.play([{ type: 'text', text: task }], { signal }, show),
    close: player.close,
  }
  return { ok: true, opened }
}

/** The tools of whoever delegates, as far as they are named. */
function onlySome(tools: AgentTools, names: readonly string[] | undefined): AgentTools {
  if (!names) return tools
  const isNamed = ({ tool }: ToolEntry): boolean => names.includes(tool.name)
  return {
    entries: () => tools.entries().filter(isNamed),
    deduplicates: tools.deduplicates,
    beginTurn: async () => (await tools.beginTurn()).filter(isNamed),
  }
}
