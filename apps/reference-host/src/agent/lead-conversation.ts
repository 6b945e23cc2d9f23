import { type Agent, type Conversation, createAgent, type UsedModel } from '@toolblocks/agent'
import type { FormatOptions } from '@toolblocks/formatter'
import type { ApprovalRule } from '../approvals/approval-rule.ts'
import { openApprovalStore } from '../approvals/approval-store.ts'
import { approvalsFile } from '../approvals/approvals-file.ts'
import { createApprover } from '../approvals/create-approver.ts'
import { definitionOf } from '../approvals/definition-of.ts'
import { createIsBelow } from '../approvals/is-below.ts'
import { agentDefinitions, deliveryLimits, modelSettings } from '../configuration/agent-settings.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { openModel } from '../model/open-model.ts'
import type { Workspace } from '../workspace/open-workspace.ts'
import type { AgentTools } from './agent-tools.ts'
import { attachedFiles, filesOf } from './attach/attached-files.ts'
import { createRefreshResource } from './attach/create-refresh-resource.ts'
import { type AskedPeople, shareScreen } from './show/share-screen.ts'

/** What a configured workspace leads a conversation with. */
export interface LeadOptions extends UsedModel {
  configuration: Configuration
  workspace: Pick<Workspace, 'authorityOf' | 'written'>
  format: FormatOptions & { root: string }
  conversation: Conversation
  tools: AgentTools
  /** Of calls that run unasked. */
  rules: readonly ApprovalRule[]
  people: AskedPeople
}

/** Makes the agent of a conversation as the workspace is configured: what is asked and what is shown take turns on one screen. */
export function leadConversation(options: LeadOptions): Agent {
  const { configuration, conversation, format, tools, workspace } = options
  const { people, showing } = shareScreen(options.people)
  const { root } = format
  const opening = { environment: process.env, format }
  const refreshResource = createRefreshResource(() => attachedFiles(conversation.events()))
  let attached: readonly string[] = []
  const agent = createAgent({
    ...options,
    root,
    people: {
      ...(people.user && { user: people.user }),
      ...createApprover({
        root,
        isBelow: createIsBelow(root),
        rules: options.rules,
        store: openApprovalStore(approvalsFile()),
        definitionOf: (entry) => definitionOf(entry, workspace),
        ...(people.approve && { ask: people.approve }),
      }),
    },
    tools: async () => {
      const entries = await tools.beginTurn()
      const hasFiles = attached.length > 0 || attachedFiles(conversation.events()).size > 0
      return hasFiles ? [...entries, { tool: refreshResource, policy: 'unattended' }] : entries
    },
    settings: modelSettings(configuration.model ?? {}),
    delivery: deliveryLimits(configuration),
    openModel: async (name) => await openModel({ ...configuration.model, name }, opening),
    agents: agentDefinitions(configuration.agents),
  })
  return {
    ...agent,
    play: async (content, { show = () => {}, ...turn }) => {
      attached = filesOf(content)
      return await agent.play(content, { ...turn, show: showing(show) })
    },
  }
}
