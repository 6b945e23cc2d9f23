/** Two tools of one name, or something that is no entry of a tool. */
export type ToolExecutorErrorCode = 'duplicate-tool' | 'bad-entry'

/** The executor was set up wrongly. */
export class ToolExecutorError extends Error {
  readonly code: ToolExecutorErrorCode

  constructor(code: ToolExecutorErrorCode, message: string) {
    super(message)
    this.name = 'ToolExecutorError'
    this.code = code
  }
}
