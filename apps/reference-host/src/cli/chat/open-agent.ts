import {
  type Agent,
  type AgentOptions as AgentParts,
  type Conversation,
  type ModelWithProfile,
  defineDelegateTool,
  openConversation,
} from '@toolblocks/agent'
import {
  type ConversationStore,
  StoreError,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import type { ToolDefinition } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { Prices } from '@toolblocks/viewer/reading'
import { randomUUID } from 'node:crypto'
import { EXIT } from '../../process/exit-codes.ts'
import { mustEnd } from '../../process/exit-signals.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { describeDenials } from '../../workspace/consent/describe-denials.ts'
import type { AskedPeople } from '../../terminal/share-screen.ts'
import { readTypedRules } from '../../workspace/consent/rule-sources.ts'
import type { Configuration } from '../../workspace/configuration/configuration.ts'
import { placeSetting } from '../../workspace/configuration/user-settings.ts'
import { openRules, rulesFile } from '../../workspace/consent/stored-rules.ts'
import { describeUnfitCallRules, findTypedMistake } from '../../workspace/consent/unfit-rules.ts'
import { describeNarrowRules, noteNearRules } from '../../workspace/consent/near-rules.ts'
import { chooseModel } from '../../workspace/choose-model.ts'
import {
  agentDefinitions,
  formatOptions,
  questionExpiry,
} from '../../workspace/configuration/agent-settings.ts'
import type { ModelConfiguration } from '../../workspace/configuration/table-schemas.ts'
import {
  type ConversationOrigin,
  eventsBeforeTurn,
} from '../../workspace/conversations/conversation-origin.ts'
import { type StoreAddress, openStoreAt } from '../../workspace/store/choose-store.ts'
import { reportWait } from '../../workspace/locks/wait-at-terminal.ts'
import { describeModelExamples } from '../../workspace/model/model-examples.ts'
import { openModel } from '../../workspace/model/open-model.ts'
import type { Workspace } from '../../workspace/open-workspace.ts'
import { createNotifier } from '../../workspace/questions/notify-questions.ts'
import { findUnknownTools } from '../../workspace/tools/find-unknown-tools.ts'
import { openTools } from '../../workspace/open-tools.ts'
import { HOW_TO_AGREE, reportWaitingRules } from '../../workspace/waiting-parts.ts'
import { createAgentTools, runConversation } from './run-conversation.ts'
import { type ContinuedConversation, findContinued, findResumed } from './find-resumed.ts'

/** The options of an agent, for each command that opens one. */
export interface ChatAgentOptions extends SharedOptions {
  /** The command that begins the conversation, if it is a new one. */
  command: Extract<ConversationOrigin['command'], 'chat' | 'run'>
  /** The conversation to resume. `true`: the one that was written last. */
  resume?: string | true
  /** Whether the last turn of the conversation is continued. Default: a new turn begins. */
  isContinued?: boolean
  /** Rules for this run, each with its effect, in the order in which they were typed. */
  rules?: readonly string[]
}

/** The model of the conversation. */
export interface AskedModel {
  provider: string
  /** The name as the provider writes it. Absent: the provider has only one model. */
  name?: string
}

/** A tool and its approval policy. */
interface OfferedTool extends Pick<ToolEntry, 'policy'> {
  tool: ToolDefinition
}

/** The agent of a workspace. A person can change its conversation and its model. */
export interface OpenedAgent extends Pick<Agent, 'runTurn' | 'resumeTurn' | 'close'> {
  /** Returns the current conversation. */
  conversation(): Conversation
  /** The store of the conversations, for messages. `undefined` if they are not stored. */
  storeName: string | undefined
  root: string
  /** The prices of tokens. Default: unknown. */
  prices?: Prices
  /** Returns the tools that the model may call now. */
  tools(): readonly OfferedTool[]
  model(): AskedModel
  /** Uses another model of the same provider from the next turn on, or returns why it cannot. */
  changeModel(name: string): Promise<{ ok: true } | { ok: false; message: string }>
  /** Ends the conversation, which stays in the store, and begins a new one. */
  beginAnew(): Promise<void>
}

/** The people at this host, and those who answer from elsewhere. */
export interface AgentPeople extends AskedPeople {
  /** How questions wait in the store for people elsewhere. Absent: they do not. */
  waiting?: Omit<NonNullable<AgentParts['waiting']>, 'expireMs' | 'staysOpen'>
  /** Whether the conversation must be stored, because nobody is asked here. Default: false. */
  mustBeStored?: boolean
  /** Receives each event after it is stored. */
  onEvent?: (event: StoredEvent) => void
}

/** Opens the tools, the model and the conversation of a workspace. If that fails, reports why and returns the exit code. */
export async function openAgent(
  context: CommandContext,
  options: ChatAgentOptions,
  people: AgentPeople,
): Promise<{ ok: true; agent: OpenedAgent } | { ok: false; code: number }> {
  const { terminal } = context
  const typed = readTypedRules(options.rules)
  if (!typed.ok) {
    terminal.report('error', typed.message)
    return { ok: false, code: EXIT.usage }
  }
  const opened = await openTools(context, {
    ...options,
    unconfigured: 'empty',
    canAsk: people.user !== undefined || people.waiting !== undefined,
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
    terminal.report('error', message)
    await close()
    return { ok: false, code }
  }
  const mistake = findTypedMistake(typed.rules, opened.entries)
  if (mistake !== undefined) return await refuse(mistake)
  const { workspace } = opened
  reportWaitingRules(workspace, (message) => terminal.report('warning', message))
  const chosen = chooseModel(workspace)
  if (!chosen.ok) return await refuse(chosen.message, chosen.code)
  const configuration = { ...opened.configuration, ...(chosen.model && { model: chosen.model }) }
  const format = formatOptions(configuration)
  const { root } = configuration
  const opening = { environment: process.env, format }
  const model = await openModel(configuration.model, opening)
  if (!model.ok) {
    const isOwn = workspace.configuration.model === undefined
    const keyPlace = model.key && placeModelKey(model.key, isOwn ? undefined : configuration)
    const refused = await refuse(keyPlace ? `${keyPlace}: ${model.message}` : model.message)
    if (model.isMissing) terminal.note(describeModelExamples(configuration.file, terminal))
    return refused
  }
  const stored = await openStoredConversation(workspace, options, {
    ...people,
    onWait: reportWait(terminal),
  })
  closing.push(stored.close)
  if (!stored.ok) return await refuse(stored.message)
  const { storeName, others = [] } = stored
  if (others.length > 0)
    terminal.note(terminal.style.dim(describeOthers(stored.conversation.id, others)))
  if (storeName === undefined && people.mustBeStored)
    return await refuse(
      `questions cannot wait, because you have not agreed to the [store]: ${HOW_TO_AGREE}`,
      EXIT.denied,
    )
  if (storeName === undefined)
    terminal.report(
      'warning',
      `this conversation is not stored, because you have not agreed to its store: ${HOW_TO_AGREE}`,
    )
  const tools = createAgentTools(opened, (line) => terminal.note(terminal.style.dim(line)))
  const names = tools.entries().map(({ tool }) => tool.name)
  for (const problem of findUnknownTools(configuration, names)) terminal.report('warning', problem)
  const rules = [...typed.rules, ...workspace.rules]
  const connected = opened.servers.map((server) => server.name)
  const unfit = describeUnfitCallRules(
    { rules, root, store: openRules(rulesFile()) },
    {
      entries: tools.entries(),
      names: opened.names,
      servers: workspace.written.servers
        .map((server) => server.name)
        .filter((name) => !connected.includes(name)),
    },
  )
  for (const message of [...unfit, ...describeNarrowRules(rules, tools.entries())])
    terminal.report('warning', message)
  const delegate = defineDelegateTool(agentDefinitions(configuration.agents))
  let used: ModelWithProfile = model
  let settings = configuration.model ?? {}
  let { conversation } = stored
  const { notify: notifying } = configuration.questions ?? {}
  const notifier =
    notifying && people.waiting && storeName !== undefined
      ? createNotifier({
          command: notifying,
          root,
          conversation: () => conversation.id,
          signal: context.signal,
        })
      : undefined
  if (people.waiting && !notifying && workspace.written.configuration.questions?.notify)
    terminal.report(
      'warning',
      `[questions] notify is not started, because you have not agreed to it: ${HOW_TO_AGREE}`,
    )
  const waiting = people.waiting && {
    ...people.waiting,
    expireMs: questionExpiry(configuration),
    staysOpen: mustEnd,
    onOpen: (question: PendingQuestion) => {
      people.waiting?.onOpen?.(question)
      notifier?.notify(question)
    },
  }
  const recordOrigin = async (): Promise<void> => {
    const { name } = describeAsked(settings)
    const { command } = options
    const origin = { command, folder: root, ...(name !== undefined && { model: name }) }
    const before = eventsBeforeTurn(conversation.events(), origin)
    if (before.length > 0) await conversation.record(...before)
  }
  const denials = describeDenials(context)
  const nearRules = noteNearRules(context)
  const startConversation = (): Agent =>
    runConversation({
      ...used,
      configuration,
      workspace,
      format,
      conversation,
      tools,
      rules,
      people,
      denials,
      nearRules,
      onBegin: recordOrigin,
      ...(waiting && { waiting }),
      ...(context.telemetry && { telemetry: context.telemetry }),
    })
  let agent = startConversation()
  closing.push(async () => await agent.close())
  closing.push(async () => {
    for (const failure of (await notifier?.close()) ?? [])
      terminal.report('warning', `[questions] notify: ${failure}`)
  })
  return {
    ok: true,
    agent: {
      conversation: () => conversation,
      storeName,
      root,
      ...(workspace.settings.prices && { prices: workspace.settings.prices }),
      tools: () => [
        ...tools.entries(),
        ...(delegate ? [{ tool: delegate, policy: 'unattended' as const }] : []),
      ],
      model: () => describeAsked(settings),
      changeModel: async (name) => {
        const other = await openModel({ ...settings, name }, opening)
        if (!other.ok) return other
        used = other
        agent.setModel(used)
        settings = { ...settings, name }
        return { ok: true }
      },
      beginAnew: async () => {
        await agent.close()
        conversation = await stored.openNew()
        agent = startConversation()
      },
      runTurn: async (content, turn) => await agent.runTurn(content, turn),
      resumeTurn: async (turn) => await agent.resumeTurn(turn),
      close,
    },
  }
}

/** Returns the file, the line and the name of a key of `[model]`, in the configuration or else in the user's settings. */
function placeModelKey(
  key: string,
  configuration: Pick<Configuration, 'locate'> | undefined,
): string {
  const path = ['model', key]
  if (!configuration) return placeSetting(path)
  const { file, line, key: name } = configuration.locate({ path, message: '' })
  return `${line === undefined ? file : `${file}:${line}`}: ${name}`
}

function describeAsked({ provider, name }: ModelConfiguration): AskedModel {
  return { provider: provider ?? '', ...(name !== undefined && { name }) }
}

/** A conversation in its store, or why it could not be opened. Close the store in both cases. */
type OpenedStoredConversation = { close(): Promise<void> } & (
  | {
      ok: true
      conversation: Conversation
      /** Opens a new conversation in the same store. */
      openNew(): Promise<Conversation>
      /** The store, for messages. `undefined` if no person has agreed to a store: then the conversation ends with the process. */
      storeName: string | undefined
      /** The ids of other conversations whose last turn has not ended. */
      others?: readonly string[]
    }
  | { ok: false; message: string }
)

const IN_MEMORY: Omit<StoreAddress, 'name'> & { name?: string } = { url: 'memory:' }

/** Says which conversation is continued, if the last turn of others has not ended either. */
function describeOthers(id: string, [first = '', ...more]: readonly string[]): string {
  const rest = more.length === 0 ? '' : ` and ${more.length} more`
  return `Continuing ${id}. The last turn of ${first}${rest} has not ended either: toolblocks run --resume ${first}`
}

/** Opens the conversation to resume, or a new one. */
async function openStoredConversation(
  { store: chosen }: Pick<Workspace, 'store'>,
  { resume, isContinued = false }: Pick<ChatAgentOptions, 'resume' | 'isContinued'>,
  following: { onEvent?: (event: StoredEvent) => void; onWait: (what: string) => void },
): Promise<OpenedStoredConversation> {
  const address = chosen.kind === 'waiting' ? IN_MEMORY : chosen.address
  let store: ConversationStore
  try {
    store = await openStoreAt(address, { onWait: following.onWait })
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'cannot-open')) throw error
    return { ok: false, message: error.message, close: async () => undefined }
  }
  const close = async (): Promise<void> => await store.close()
  const continued: ContinuedConversation = isContinued
    ? await findContinued(store, resume)
    : await findResumed(store, resume)
  if (!continued.ok) return { ...continued, close }
  return {
    ok: true,
    conversation: await openConversation(store, continued.id, following),
    openNew: async () => await openConversation(store, randomUUID(), following),
    storeName: address.name,
    ...(continued.others && { others: continued.others }),
    close,
  }
}
