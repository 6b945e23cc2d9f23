/** Why a tool cannot be defined or a program cannot be made of tools. */
export type ToolDefinitionErrorCode =
  /** The name of a tool is empty, too long, or has other characters than letters, digits, `_` and `-`. */
  | 'bad-name'
  /** The schema library cannot say its schema as JSON Schema. */
  | 'no-json-schema'
  /** The schema of the arguments is not one of an object. */
  | 'arguments-not-object'
  /** Both `arguments` and `parameters`. */
  | 'two-schemas'
  /** No tool at all. */
  | 'no-tools'
  /** Two tools of one program have the same name. */
  | 'duplicate-name'

/** A definition that cannot work; thrown while the program starts, never during a call. */
export class ToolDefinitionError extends Error {
  override readonly name = 'ToolDefinitionError'
  readonly code: ToolDefinitionErrorCode

  constructor(code: ToolDefinitionErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.code = code
  }
}
