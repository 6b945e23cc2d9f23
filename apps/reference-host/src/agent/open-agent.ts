import { createReadToolResult, openStore, type StoredEvent } from '@toolblocks/conversation-store'
import type { AnswerQuestion, ContentBlock } from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { openApprovalStore } from '../approvals/approval-store.ts'
import { readRule, type ApprovalRule } from '../approvals/approval-rule.ts'
import { approvalsFile } from '../approvals/approvals-file.ts'
import { createApprover, type AskApproval } from '../approvals/create-approver.ts'
import { definitionOf } from '../approvals/definition-of.ts'
import { createIsBelow } from '../approvals/is-below.ts'
import type { CommandContext, SharedOptions } from '../commands/command-context.ts'
import { openTools } from '../commands/tools/open-tools.ts'
import { chatAddress } from '../conversations/open/store-address.ts'
import { EXIT } from '../exit-codes.ts'
import { createDeliverer } from '../model/create-deliverer.ts'
import { openModel } from '../model/open-model.ts'
import { createPersonTime } from '../terminal/person-time.ts'
import { openConversation, type OpenConversation } from '../turn/open-conversation.ts'
import { runTurn, type TurnEnd, type TurnMoment } from '../turn/run-turn.ts'
import { createRefreshResource } from './create-refresh-resource.ts'
import { findConversation } from './find-conversation.ts'

/** What was typed for an agent, whatever it is used for. */
export interface AgentOptions extends SharedOptions {
  /** A conversation to go on with; `true`: the one that was written last. */
  resume?: string | true
  /** Rules of calls that run unasked. */
  allowTool?: readonly string[]
  trust?: boolean
}

/** Who is there to answer. */
export interface AgentPeople {
  user?: AnswerQuestion
  approve?: AskApproval
  onEvent?: (event: StoredEvent) => void
}

/** A model with its tools and one conversation. */
export interface Agent {
  conversation: OpenConversation
  /** Where conversations are kept, for messages. */
  storeName: string
  root: string
  tools: readonly string[]
  /** Rejects as `runTurn`. `callSignal` ends the calls that are running, and not the turn. */
  play(
    content: readonly ContentBlock[],
    signals: { signal: AbortSignal; callSignal?: () => AbortSignal },
    show: (moment: TurnMoment) => void,
  ): Promise<TurnEnd>
  close(): Promise<void>
}

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
  const refuse = async (message: string): Promise<{ ok: false; code: number }> => {
    terminal.complain('error', message)
    await close()
    return { ok: false, code: EXIT.usage }
  }
  const { configuration, entries, readers } = opened
  const { root, deduplication } = configuration
  const format = { ...configuration.format, root, resourceHeader: 'name' } as const
  const model = await openModel(configuration.model, { environment: process.env, format })
  if (!model.ok) return await refuse(model.message)
  const address = chatAddress(configuration)
  const store = await openStore(address.url)
  closing.push(async () => await store.close())
  const found = await findConversation(store, options.resume)
  if (!found.ok) return await refuse(found.message)
  const conversation = await openConversation(store, found.id, people)
  const personTime = createPersonTime()
  const approve = createApprover({
    root,
    conversation: found.id,
    isBelow: createIsBelow(root),
    rules: rules.rules,
    store: openApprovalStore(approvalsFile()),
    definitionOf: (entry) => definitionOf(entry, configuration),
    ...(people.approve && { ask: people.approve }),
    record: conversation.record,
  })
  const reader = { tool: createReadToolResult(store, found.id), policy: 'unattended' } as const
  const own = [...entries, ...readers, reader]
  const refresher = {
    tool: createRefreshResource(() => attachedFiles(conversation.events())),
    policy: 'unattended',
  } as const
  const executor = createToolExecutor({
    tools: own,
    approve: personTime.approving(approve),
    recordInquiry: conversation.record,
  })
  closing.push(async () => await executor.close())
  const { instructions, max_output_tokens: maxOutputTokens } = configuration.model ?? {}
  const agent: Agent = {
    conversation,
    storeName: address.name,
    root,
    tools: entries.map(({ tool }) => tool.name),
    play: async (content, { signal, callSignal }, show) => {
      const hasFiles = attachedFiles(conversation.events()).size > 0 || filesOf(content).length > 0
      executor.setTools(hasFiles ? [...own, refresher] : own)
      return await runTurn(
        content,
        {
          model: model.model,
          executor,
          conversation,
          createDeliver: (before, turn) =>
            createDeliverer(before, {
              turn,
              deduplication,
              format,
              ofTool: (name) => entries.find(({ tool }) => tool.name === name)?.deduplicate,
            }),
          context: {
            signal,
            root,
            conversationId: found.id,
            keepBytes: async (bytes) => await store.keepBytes(bytes),
            ask: { ...(people.user && { user: personTime.answering(people.user) }) },
          },
          ...(callSignal && { callSignal }),
          settings: {
            ...(instructions !== undefined && { instructions }),
            ...(maxOutputTokens !== undefined && { maxOutputTokens }),
          },
          personTime: personTime.of,
        },
        show,
      )
    },
    close,
  }
  return { ok: true, agent }
}

/** The uris of files that people have attached. */
function attachedFiles(events: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap(({ event }) => (event.type === 'user_message' ? filesOf(event.content) : [])),
  )
}

function filesOf(content: readonly ContentBlock[]): readonly string[] {
  return content.flatMap((block) =>
    block.type === 'resource' && block.resource.uri.startsWith('file:') ? [block.resource.uri] : [],
  )
}

function readRules(
  texts: readonly string[],
): { ok: true; rules: readonly ApprovalRule[] } | { ok: false; message: string } {
  const rules: ApprovalRule[] = []
  for (const text of texts) {
    const read = readRule(text)
    if (!read.ok) return read
    rules.push(read.rule)
  }
  return { ok: true, rules }
}
