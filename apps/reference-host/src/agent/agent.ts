import type { StoredEvent } from '@toolblocks/conversation-store'
import type { AnswerQuestion, ContentBlock } from '@toolblocks/protocol'
import type { AskApproval } from '../approvals/create-approver.ts'
import type { SharedOptions } from '../commands/command-context.ts'
import type { ConversationOrigin } from '../conversation-origin.ts'
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

/** A model with its tools and one conversation. */
export interface Agent {
  conversation: OpenConversation
  /** Where conversations are kept, for messages; `undefined` where they are not. */
  storeName: string | undefined
  root: string
  /** Names of the tools that the model may call now. */
  tools(): readonly string[]
  /** Rejects as `runTurn`. */
  play(
    content: readonly ContentBlock[],
    signals: { signal: AbortSignal; callsStop?: CallsStop },
    show: ShowMoment,
  ): Promise<TurnEnd>
  close(): Promise<void>
}
