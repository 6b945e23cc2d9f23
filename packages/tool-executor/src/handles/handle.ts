import type {
  Answer,
  FoundQuestion,
  KeptOutput,
  LiveCall,
  Status,
  ToolCall,
} from '@toolblocks/protocol'
import type { ToolEntry } from '../tools/tool-entry.ts'

/** A live call under the name a model gave it. */
export interface Handle {
  readonly id: string
  readonly conversationId: string | undefined
  readonly entry: ToolEntry
  /** The call that started it. */
  readonly call: ToolCall
  readonly live: LiveCall
  /** Ends whatever the live call waits for. */
  readonly end: AbortController
  status: Status
  /** Its last word was an error. */
  hasFailed: boolean
  /** What a waiting handle asks, each with the blocks before it; one that waits and asks nothing waits for free input. */
  pending: readonly FoundQuestion[]
  /** How many inputs and answers it was given. */
  interactions: number
  /** How many calls a host made for what people answered. */
  hostCalls: number
  /** By question id: records what came of a question that the driving model was given. */
  readonly put: Map<string, (answer: Answer) => Promise<void>>
  /** Blocks that came while a model was awaiting, and are delivered with the next result. */
  readonly kept: KeptOutput
  /** Actions on one handle wait for each other. */
  busy: Promise<unknown>
}

/** A live call on its way. */
export interface StartingHandle {
  readonly conversationId: string | undefined
  readonly entry: ToolEntry
  readonly end: AbortController
  /** Absent: it was aborted meanwhile. */
  readonly done: Promise<Handle | undefined>
}

/** How many handles may live, how long without being used, and how much they are given. */
export interface HandleLimits {
  /** Default: 16 in all conversations together. */
  handles?: number
  /** Milliseconds without an action after which a handle is aborted. Default: ten minutes. */
  idleMs?: number
  /**
   * How many inputs and answers one handle is given by a model, a person or the configuration, until it is ended: against a tool that asks
   * without end. What is fetched does not count. Default: `MAX_LIVE_INTERACTIONS`.
   */
  interactions?: number
}
