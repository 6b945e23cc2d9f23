/** The executor was set up wrongly. */
export class ToolExecutorError extends Error {
  readonly code: 'duplicate-tool'

  constructor(code: 'duplicate-tool', message: string) {
    super(message)
    this.name = 'ToolExecutorError'
    this.code = code
  }
}
