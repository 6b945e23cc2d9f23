import type { ContentBlock } from '@toolblocks/protocol'
import type { ModelWithProfile } from './model.ts'
import type { CallCancellation, OnTurnEvent, TurnEnd } from './run-turn.ts'

/** A model with its tools and one conversation. */
export interface Agent {
  /**
   * Runs one turn; see `runTurn`. Only one turn may run at a time. Calls of the last turn that wait for people end without an answer. Rejects with
   * `ConversationHeld` if another host runs a turn of the conversation.
   */
  runTurn(content: readonly ContentBlock[], turn: AgentTurn): Promise<TurnEnd>
  /**
   * Continues the last turn, if it was parked or its host ended, on this host or another one. A call whose question has been answered is made again
   * with all its answers. A call that was running may have been executed, and is not made again. `undefined`: the last turn has ended. Rejects like
   * `runTurn`.
   */
  resumeTurn(turn: AgentTurn): Promise<TurnEnd | undefined>
  /** Uses another model from the next turn on. */
  setModel(model: ModelWithProfile): void
  /** Ends the running calls of stateful tools. */
  close(): Promise<void>
}

/** How one turn runs. */
export interface AgentTurn {
  /** Ends the turn. */
  signal: AbortSignal
  /** Receives the events to show. */
  show?: OnTurnEvent
  callCancellation?: CallCancellation
}
