import type { ContentBlock, InputRequest, LiveCall, Status, ToolCall } from '@toolblocks/protocol'
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
  /** What a waiting handle asks. */
  pending: readonly InputRequest[]
  /** Blocks that came while a model was awaiting, and are delivered with the next result. */
  kept: readonly ContentBlock[]
  /** Actions on one handle wait for each other. */
  busy: Promise<unknown>
}

/** How many handles may live, and how long without being used. */
export interface HandleLimits {
  /** Default: 16 in all conversations together. */
  handles?: number
  /** Milliseconds without an action after which a handle is aborted. Default: ten minutes. */
  idleMs?: number
}
