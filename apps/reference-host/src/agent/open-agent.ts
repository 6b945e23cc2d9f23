import { formatOptions } from '../configuration/format-options.ts'
import { readRules } from '../approvals/read-rules.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { openTools } from '../commands/tools/open-tools.ts'
import { eventsBeforeTurn } from '../conversation-origin.ts'
import { EXIT } from '../exit-codes.ts'
import { openModel } from '../model/open-model.ts'
import { HOW_TO_AGREE } from '../workspace/waiting-parts.ts'
import { chooseModel } from '../workspace/choose-model.ts'
import type { Agent, AgentOptions, AgentPeople } from './agent.ts'
import { createAgentTools } from './agent-tools.ts'
import { findUnknownTools } from './delegate/find-unknown-tools.ts'
import { createDelegatingPlayer } from './delegate/create-delegating-player.ts'
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
  const opened = await openTools(context, { ...options, canAsk: people.user !== undefined })
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
  const chosen = await chooseModel(workspace)
  if (!chosen.ok) return await refuse(chosen.message, chosen.code)
  const configuration = { ...opened.configuration, ...(chosen.model && { model: chosen.model }) }
  const format = formatOptions(configuration)
  const { root } = configuration
  const model = await openModel(configuration.model, { environment: process.env, format })
  if (!model.ok) {
    const { message, example } = model
    return await refuse(example === undefined ? message : `${message}; for example:\n\n${example}`)
  }
  const stored = await openStoredConversation(workspace, options.resume, people)
  closing.push(stored.close)
  if (!stored.ok) return await refuse(stored.message)
  const { conversation, storeName } = stored
  if (storeName === undefined)
    terminal.complain(
      'warning',
      `this conversation is not kept, because you have not agreed to where it would be: ${HOW_TO_AGREE}`,
    )
  const tools = createAgentTools(opened, (line) => terminal.note(terminal.style.dim(line)))
  for (const problem of findUnknownTools(configuration, tools.names()))
    terminal.complain('warning', problem)
  const player = createDelegatingPlayer({
    configuration,
    workspace,
    format,
    model: model.model,
    ...(model.profile && { profile: model.profile }),
    stored,
    tools,
    rules: rules.rules,
    people,
  })
  closing.push(player.close)
  const name = configuration.model?.name
  const { command } = options
  const origin = { command, folder: root, ...(name !== undefined && { model: name }) }
  const play: Agent['play'] = async (...turn) => {
    const before = eventsBeforeTurn(conversation.events(), origin)
    if (before.length > 0) await conversation.record(...before)
    return await player.play(...turn)
  }
  const agent = { conversation, storeName, root, tools: tools.names, play, close }
  return { ok: true, agent }
}
