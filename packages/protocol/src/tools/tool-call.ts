/** One use of a tool, as a model or person asked for it. */
export interface ToolCall {
  /** Given by the model's provider or the host; unique in a turn, not for ever. */
  id: string
  name: string
  arguments: Readonly<Record<string, unknown>>
}
