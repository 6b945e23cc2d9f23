/** The editor could not be started. */
export class EditorError extends Error {
  readonly code = 'editor-not-started'

  constructor(command: string, options?: ErrorOptions) {
    super(
      `The editor could not be started: ${command}. Set VISUAL or EDITOR to a command that takes a file name.`,
      options,
    )
    this.name = 'EditorError'
  }
}
