import { createReadToolResult, READ_TOOL_RESULT } from '@toolblocks/conversation-store'
import type { FormatOptions, ModelProfile } from '@toolblocks/formatter'
import type { CallContext } from '@toolblocks/protocol'
import { type AroundWait, createToolExecutor, type ToolEntry } from '@toolblocks/tool-executor'
import type { ApprovalRule } from '../approvals/approval-rule.ts'
import { openApprovalStore } from '../approvals/approval-store.ts'
import { approvalsFile } from '../approvals/approvals-file.ts'
import { createApprover } from '../approvals/create-approver.ts'
import { definitionOf } from '../approvals/definition-of.ts'
import { createIsBelow } from '../approvals/is-below.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { createDeliverer, spentInTurn } from '../model/create-deliverer.ts'
import { createModelAnswerer, modelSettings } from '../model/answer-by-model.ts'
import type { Model } from '../model/model.ts'
import { openModel } from '../model/open-model.ts'
import { createPersonTime } from '../terminal/ask/person-time.ts'
import { buildMessagesDuringCalls } from '../turn/build-messages.ts'
import { runTurn, type ShowMoment } from '../turn/run-turn.ts'
import type { AgentTools } from './agent-tools.ts'
import { attachedFiles, filesOf } from './attach/attached-files.ts'
import { createRefreshResource } from './attach/create-refresh-resource.ts'
import type { Workspace } from '../workspace/open-workspace.ts'
import type { Agent, AgentPeople } from './agent.ts'
import { shareScreen } from './show/share-screen.ts'
import type { StoredConversation } from './open-stored-conversation.ts'

/** What turns are played with. */
export interface PlayerParts {
  configuration: Configuration
  workspace: Workspace
  format: FormatOptions & { root: string }
  model: Model
  /** What it takes by now. Default: nobody knows. */
  profile?: () => ModelProfile | undefined
  stored: StoredConversation
  tools: AgentTools
  /** Of calls that run unasked. */
  rules: readonly ApprovalRule[]
  people: Pick<AgentPeople, 'user' | 'approve'>
  /** Tools beside those of the workspace, made for a turn. */
  ownTools?: (turn: TurnPorts) => readonly ToolEntry[]
}

/** What a tool of the host's own can use of the turn it is called in. */
export interface TurnPorts {
  /** Who is asked. */
  people: Pick<AgentPeople, 'user' | 'approve'>
  show: ShowMoment
  /** Put around each wait of a call for a person. */
  aroundWait: AroundWait
}

/** Plays turns. */
export type Player = Pick<Agent, 'play' | 'close'>

/** Plays the turns of one conversation, one after the other. */
export function createPlayer(parts: PlayerParts): Player {
  const { configuration, format, model, tools } = parts
  const { people, showing } = shareScreen(parts.people)
  const { conversation, store } = parts.stored
  const { id } = conversation
  const { deduplication, budget } = configuration
  const personTime = createPersonTime()
  const readResult: ToolEntry = {
    tool: createReadToolResult(store, id, {
      semantic:
        format.structured === 'both' || format.structured === 'structured'
          ? 'always'
          : 'beside-nothing',
    }),
    policy: 'unattended',
  }
  const refreshResource: ToolEntry = {
    tool: createRefreshResource(() => attachedFiles(conversation.events())),
    policy: 'unattended',
  }
  const executor = createToolExecutor({
    tools: [],
    ...createApproverFor({ ...parts, people }),
    aroundWait: personTime.around,
    recordInquiry: conversation.record,
    liveSchema: 'flat',
  })
  const settings = modelSettings(configuration.model ?? {})
  return {
    close: async () => await executor.close(),
    play: async (content, { signal, callsStop }, show) => {
      const shown = showing(show)
      const profile = parts.profile?.()
      const hasFiles = attachedFiles(conversation.events()).size > 0 || filesOf(content).length > 0
      const extra = parts.ownTools?.({ people, show: shown, aroundWait: personTime.around }) ?? []
      const own = [...(await tools.beginTurn()), ...extra, readResult]
      executor.setTools(hasFiles ? [...own, refreshResource] : own)
      const assistant = createModelAnswerer({
        open: async (name) =>
          name === undefined
            ? { ok: true, model }
            : await openModel(
                { ...configuration.model, name },
                { environment: process.env, format },
              ),
        messages: () => buildMessagesDuringCalls(conversation.events()),
        settings,
        onAnswer: async (request, answer) => await shown({ type: 'answered', request, answer }),
      })
      const context: CallContext = {
        signal,
        root: format.root,
        conversationId: id,
        keepBytes: async (bytes) => await store.keepBytes(bytes),
        ask: { ...(people.user && { user: people.user }), assistant },
      }
      const createDeliver: Parameters<typeof runTurn>[1]['createDeliver'] = (before, turn) =>
        createDeliverer(before, {
          turn,
          deduplication,
          budget,
          spent: spentInTurn(conversation.events()),
          readTool: READ_TOOL_RESULT,
          format,
          ...(profile && { profile }),
          ofTool: tools.deduplicates,
        })
      return await runTurn(
        content,
        {
          model,
          ...(profile && { profile }),
          executor,
          conversation,
          createDeliver,
          context,
          ...(callsStop && { callsStop }),
          settings,
          personTime: personTime.of,
        },
        shown,
      )
    },
  }
}

function createApproverFor({ workspace, format, stored, rules, people }: PlayerParts) {
  const { conversation } = stored
  return createApprover({
    root: format.root,
    conversation: conversation.id,
    isBelow: createIsBelow(format.root),
    rules,
    store: openApprovalStore(approvalsFile()),
    definitionOf: (entry) => definitionOf(entry, workspace),
    ...(people.approve && { ask: people.approve }),
    record: conversation.record,
  })
}
