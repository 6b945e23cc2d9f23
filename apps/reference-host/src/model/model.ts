import type { ToolCall, ToolResult } from '@toolblocks/protocol'

/** What a model says in one turn: words, and the calls it wants made. No calls: the conversation rests. */
export interface ModelTurn {
  text: string
  calls: readonly ToolCall[]
}

/** Answers to the results of its last calls; the first time there are none. */
export type Model = (results: readonly ToolResult[]) => Promise<ModelTurn>
