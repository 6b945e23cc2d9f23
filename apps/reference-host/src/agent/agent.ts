import type { StoredEvent } from '@toolblocks/conversation-store'
import type { AnswerQuestion, ContentBlock, ToolDefinition } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { AskApproval } from '../approvals/create-approver.ts'
import type { SharedOptions } from '../commands/command-context.ts'
import type { ConversationOrigin } from '../conversation-origin.ts'
import type { Prices } from '../model/cost-of.ts'
import type { OpenConversation } from '../turn/open-conversation.ts'
import type { CallsStop, ShowMoment, TurnEnd } from '../turn/run-turn.ts'

/** What was typed for an agent, whatever it is used for. */
export interface AgentOptions extends SharedOptions {
  /** What begins the conversation, where it is a new one. */
  command: Extract<ConversationOrigin['command'], 'chat' | 'run'>
  /** A conversation to go on with; `true`: the one that was written last. */
  resume?: string | true
  /** Rules of calls that run unasked. */
  allowTool?: readonly string[]
}

/** Who is there to answer. */
export interface AgentPeople {
  user?: AnswerQuestion
  approve?: AskApproval
  onEvent?: (event: StoredEvent) => void
}

/** A tool, and what becomes of calls of it. */
export interface OfferedTool extends Pick<ToolEntry, 'policy'> {
  tool: ToolDefinition
}

/** Who is asked. */
export interface AskedModel {
  provider: string
  /** As the provider writes it. Absent: it has only one. */
  name?: string
}

/** A model with its tools and a conversation. */
export interface Agent {
  /** The one that turns are added to by now. */
  conversation(): OpenConversation
  /** Where conversations are kept, for messages; `undefined` where they are not. */
  storeName: string | undefined
  root: string
  /** What tokens cost. Default: nobody knows. */
  prices?: Prices
  /** What the model may call now. */
  tools(): readonly OfferedTool[]
  model(): AskedModel
  /** Asks another model of the same provider from the next message on, or says why it cannot. */
  changeModel(name: string): Promise<{ ok: true } | { ok: false; message: string }>
  /** Ends the conversation, which stays where it is kept, and begins a new one. */
  beginAnew(): Promise<void>
  /** Rejects as `runTurn`. */
  play(
    content: readonly ContentBlock[],
    signals: { signal: AbortSignal; callsStop?: CallsStop },
    show: ShowMoment,
  ): Promise<TurnEnd>
  close(): Promise<void>
}
