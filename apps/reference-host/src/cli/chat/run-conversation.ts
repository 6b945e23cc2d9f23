import {
  type Agent,
  type AgentOptions,
  type Conversation,
  type ModelWithProfile,
  type OnTurnEvent,
  createAgent,
} from '@toolblocks/agent'
import type { FormatOptions } from '@toolblocks/formatter'
import type { Tool } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { isForAppsOnly } from '@toolblocks/tool-executor/internal'
import { isDeepStrictEqual } from 'node:util'
import type { DescribedDenials } from '../../workspace/consent/describe-denials.ts'
import { type AskedPeople, shareScreen } from '../../terminal/share-screen.ts'
import {
  createApprover,
  hashDefinition,
  openCallRules,
} from '../../workspace/consent/create-approver.ts'
import type { PlacedRule } from '../../workspace/consent/rule-sources.ts'
import type { NearRuleNotes } from '../../workspace/consent/near-rules.ts'
import {
  agentDefinitions,
  deferAbove,
  deliveryLimits,
  modelSettings,
} from '../../workspace/configuration/agent-settings.ts'
import type { Configuration } from '../../workspace/configuration/configuration.ts'
import { createAgentHost } from '../../process/agent-host.ts'
import { openModel } from '../../workspace/model/open-model.ts'
import type { Workspace } from '../../workspace/open-workspace.ts'
import type { OpenedTools } from '../../workspace/open-tools.ts'
import { attachedFiles, createRefreshResource, getFiles } from './attach-file.ts'

/** The parts with which a configured workspace runs a conversation. */
export interface ConversationOptions extends ModelWithProfile {
  configuration: Configuration
  workspace: Pick<Workspace, 'listWants' | 'written'>
  format: FormatOptions & { root: string }
  conversation: Conversation
  tools: AgentTools
  /** The rules about calls, without the stored ones. */
  rules: readonly PlacedRule[]
  people: AskedPeople
  /** Shows the person which rule has denied a call. Default: only the result says it. */
  denials?: Pick<DescribedDenials, 'onDenied' | 'after'>
  /** Shows the person which rules nearly allow a denied call. Default: nothing says it. */
  nearRules?: Pick<NearRuleNotes, 'watch' | 'after'>
  /** How questions wait in the store. Absent: only `people` are asked. */
  waiting?: NonNullable<AgentOptions['waiting']>
  /** Called when a turn begins or continues, while no other host runs the conversation. */
  onBegin?: () => Promise<void>
  /** Reports turns, model requests and calls. Default: nothing is reported. */
  telemetry?: NonNullable<AgentOptions['telemetry']>
}

/** Creates the agent of a conversation from the configuration of the workspace. Questions and output never use the screen at the same time. */
export function runConversation(options: ConversationOptions): Agent {
  const { configuration, conversation, denials, format, nearRules, tools, waiting, workspace } =
    options
  const { people, showing } = shareScreen(options.people)
  const { root } = format
  const opening = { environment: process.env, format }
  const refreshResource = createRefreshResource(() => attachedFiles(conversation.events()))
  let attached: readonly string[] = []
  const describeTool = (entry: ToolEntry): string => hashDefinition(entry, workspace)
  const rules = openCallRules({ root, rules: options.rules, describeTool })
  const { decide, approve } = createApprover({
    ...rules,
    ...(people.approve && { ask: people.approve }),
    ...(denials && { onDenied: denials.onDenied }),
  })
  const showTurn = (show: OnTurnEvent): OnTurnEvent => {
    const following = denials?.after(show) ?? show
    return showing(nearRules?.after(following) ?? following)
  }
  const agent = createAgent({
    ...options,
    host: createAgentHost(),
    root,
    describeTool,
    people: {
      ...(people.user && { user: people.user }),
      decide: nearRules?.watch(decide, rules) ?? decide,
      // Without a person, a call that can wait is not denied.
      ...((people.approve || !waiting) && { approve }),
    },
    tools: async () => {
      await options.onBegin?.()
      const entries = await tools.beginTurn()
      const hasFiles = attached.length > 0 || attachedFiles(conversation.events()).size > 0
      return hasFiles ? [...entries, { tool: refreshResource, policy: 'unattended' }] : entries
    },
    settings: modelSettings(configuration.model ?? {}),
    delivery: deliveryLimits(configuration),
    deferAbove: deferAbove(configuration),
    openModel: async (name) => await openModel({ ...configuration.model, name }, opening),
    agents: agentDefinitions(configuration.agents),
  })
  return {
    ...agent,
    runTurn: async (content, { show = () => {}, ...turn }) => {
      attached = getFiles(content)
      return await agent.runTurn(content, { ...turn, show: showTurn(show) })
    },
    resumeTurn: async ({ show = () => {}, ...turn }) =>
      await agent.resumeTurn({ ...turn, show: showTurn(show) }),
  }
}

/** The tools of an agent. They may change from turn to turn. */
interface AgentTools {
  /** Returns the current tools. */
  entries(): readonly ToolEntry[]
  /** Reads the current descriptions of programs and servers for the turn that begins. */
  beginTurn(): Promise<readonly ToolEntry[]>
}

/** Updates tools when their descriptions change. `tell` receives one line for each change. */
export function createAgentTools(
  { entries: first, readers, renew }: Pick<OpenedChat, 'entries' | 'readers' | 'renew'>,
  tell: (line: string) => void,
): AgentTools {
  let entries = first.filter(isForModel)
  return {
    entries: () => entries,
    beginTurn: async () => {
      const renewed = (await renew())?.filter(isForModel)
      const line = renewed && describeChange(entries, renewed)
      if (line !== undefined) tell(line)
      entries = renewed ?? entries
      return [...entries, ...readers]
    },
  }
}

/** No page of a server is open here that could call the others. */
function isForModel({ tool }: ToolEntry): boolean {
  return !isForAppsOnly(tool)
}

type OpenedChat = Extract<OpenedTools, { ok: true }>

/** Returns one line such as `Tools have changed: a is new, b is gone, c says something else of itself.` */
function describeChange(
  before: readonly ToolEntry[],
  after: readonly ToolEntry[],
): string | undefined {
  const [old, now] = [byName(before), byName(after)]
  const changes = [
    ...[...now.keys()].filter((name) => !old.has(name)).map((name) => `${name} is new`),
    ...[...old.keys()].filter((name) => !now.has(name)).map((name) => `${name} was removed`),
    ...[...now]
      .filter(([name, tool]) => old.has(name) && !isSame(old.get(name), tool))
      .map(([name]) => `${name} has a new description`),
  ]
  return changes.length === 0 ? undefined : `Tools have changed: ${changes.join(', ')}.`
}

function byName(entries: readonly ToolEntry[]): ReadonlyMap<string, Tool> {
  return new Map(entries.map(({ tool }) => [tool.name, tool]))
}

/** Whether two descriptions are equal. The functions that run the tools are created anew each time and are not compared. */
function isSame(one: Tool | undefined, other: Tool): boolean {
  return isDeepStrictEqual(getWords(one), getWords(other))
}

function getWords(tool: Tool | undefined): unknown {
  return JSON.parse(JSON.stringify(tool ?? {}))
}
