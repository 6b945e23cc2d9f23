/** Two tools of one name, or a live tool with a parameter that is named like a part of an action. */
export type ToolExecutorErrorCode = 'duplicate-tool' | 'reserved-parameter'

/** The executor was set up wrongly. */
export class ToolExecutorError extends Error {
  readonly code: ToolExecutorErrorCode

  constructor(code: ToolExecutorErrorCode, message: string) {
    super(message)
    this.name = 'ToolExecutorError'
    this.code = code
  }
}
