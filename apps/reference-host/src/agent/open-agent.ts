import { randomUUID } from 'node:crypto'
import type { ModelConfiguration } from '../configuration/configuration.ts'
import { formatOptions } from '../configuration/format-options.ts'
import { readRules } from '../approvals/read-rules.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { openTools } from '../commands/tools/open-tools.ts'
import { eventsBeforeTurn } from '../conversation-origin.ts'
import { EXIT } from '../exit-codes.ts'
import { describeModelExamples } from '../model/model-examples.ts'
import { openModel } from '../model/open-model.ts'
import { openConversation } from '../turn/open-conversation.ts'
import { HOW_TO_AGREE } from '../workspace/waiting-parts.ts'
import { chooseModel } from '../workspace/choose-model.ts'
import type { Agent, AgentOptions, AgentPeople, AskedModel, OfferedTool } from './agent.ts'
import { createAgentTools } from './agent-tools.ts'
import type { Player } from './create-player.ts'
import { findUnknownTools } from './delegate/find-unknown-tools.ts'
import { describeDelegate } from './delegate/create-delegate.ts'
import { agentsAt, createDelegatingPlayer } from './delegate/create-delegating-player.ts'
import { openStoredConversation } from './open-stored-conversation.ts'

/** Opens the tools, the model and the conversation of a workspace, or gives the exit code; why has been told. */
export async function openAgent(
  context: CommandContext,
  options: AgentOptions,
  people: AgentPeople,
): Promise<{ ok: true; agent: Agent } | { ok: false; code: number }> {
  const { terminal } = context
  const rules = readRules(options.allowTool ?? [])
  if (!rules.ok) {
    terminal.complain('error', `--allow-tool: ${rules.message}`)
    return { ok: false, code: EXIT.usage }
  }
  const opened = await openTools(context, {
    ...options,
    unconfigured: 'empty',
    canAsk: people.user !== undefined,
  })
  if (!opened.ok) return opened
  const closing = [opened.close]
  const close = async (): Promise<void> => {
    await opened.settled()
    for (const each of closing.toReversed()) await each()
  }
  const refuse = async (
    message: string,
    code: number = EXIT.usage,
  ): Promise<{ ok: false; code: number }> => {
    terminal.complain('error', message)
    await close()
    return { ok: false, code }
  }
  const { workspace } = opened
  const chosen = chooseModel(workspace)
  if (!chosen.ok) return await refuse(chosen.message, chosen.code)
  const configuration = { ...opened.configuration, ...(chosen.model && { model: chosen.model }) }
  const format = formatOptions(configuration)
  const { root } = configuration
  const opening = { environment: process.env, format }
  const model = await openModel(configuration.model, opening)
  if (!model.ok) {
    const refused = await refuse(model.message)
    if (model.isMissing) terminal.note(describeModelExamples(configuration.file, terminal))
    return refused
  }
  const stored = await openStoredConversation(workspace, options.resume, people)
  closing.push(stored.close)
  if (!stored.ok) return await refuse(stored.message)
  const { storeName } = stored
  if (storeName === undefined)
    terminal.complain(
      'warning',
      `this conversation is not kept, because you have not agreed to where it would be: ${HOW_TO_AGREE}`,
    )
  const tools = createAgentTools(opened, (line) => terminal.note(terminal.style.dim(line)))
  const names = tools.entries().map(({ tool }) => tool.name)
  for (const problem of findUnknownTools(configuration, names))
    terminal.complain('warning', problem)
  const agents = agentsAt(configuration.agents, 1)
  const delegate: readonly OfferedTool[] =
    Object.keys(agents).length === 0
      ? []
      : [{ tool: describeDelegate(agents), policy: 'unattended' }]
  let asked = model
  let settings = configuration.model ?? {}
  let { conversation } = stored
  const openPlayer = (): Player =>
    createDelegatingPlayer({
      configuration,
      workspace,
      format,
      model: (...request) => asked.model(...request),
      profile: () => asked.profile,
      stored: { ...stored, conversation },
      tools,
      rules: rules.rules,
      people,
    })
  let player = openPlayer()
  closing.push(async () => await player.close())
  const agent: Agent = {
    conversation: () => conversation,
    storeName,
    root,
    ...(workspace.settings.prices && { prices: workspace.settings.prices }),
    tools: () => [...tools.entries(), ...delegate],
    model: () => describeAsked(settings),
    changeModel: async (name) => {
      const other = await openModel({ ...settings, name }, opening)
      if (!other.ok) return other
      asked = other
      settings = { ...settings, name }
      return { ok: true }
    },
    beginAnew: async () => {
      await player.close()
      conversation = await openConversation(stored.store, randomUUID(), {
        ...(people.onEvent && { onEvent: people.onEvent }),
      })
      player = openPlayer()
    },
    play: async (...turn) => {
      const { name } = describeAsked(settings)
      const { command } = options
      const origin = { command, folder: root, ...(name !== undefined && { model: name }) }
      const before = eventsBeforeTurn(conversation.events(), origin)
      if (before.length > 0) await conversation.record(...before)
      return await player.play(...turn)
    },
    close,
  }
  return { ok: true, agent }
}

function describeAsked({ provider, name }: ModelConfiguration): AskedModel {
  return { provider: provider ?? '', ...(name !== undefined && { name }) }
}
