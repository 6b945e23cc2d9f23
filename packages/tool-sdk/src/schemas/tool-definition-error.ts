/** What is wrong with a definition: each code is one mistake that the author of a tool can make. */
export type ToolDefinitionErrorCode =
  /** The definition is not an object, a required option is absent, or an option has a value of the wrong type. */
  | 'bad-option'
  /** An option that `defineTool` does not know: misspelt, or named as another library names it. The message has the right name. */
  | 'unknown-option'
  /** The name is empty, longer than 128 characters, or has other characters than letters, digits, `_` and `-`. */
  | 'bad-name'
  /** `annotations` has a name that MCP does not define, or a value of the wrong type. */
  | 'bad-annotation'
  /** `actions` has an unknown action, lacks `spawn`, or belongs to a tool that is not stateful. */
  | 'bad-actions'
  /** An example does not fit `inputSchema`. */
  | 'bad-example'
  /** The schema library cannot convert its schema to JSON Schema. */
  | 'no-json-schema'
  /** `inputSchema` does not describe an object. */
  | 'input-not-object'
  /** Both `inputSchema` and `parameters` are given. */
  | 'two-schemas'
  /** A list of tools is empty. */
  | 'no-tools'
  /** Two tools of one program have the same name. */
  | 'duplicate-name'
  /** A value in a list of tools was not made by `defineTool`. */
  | 'not-a-tool'

/** A mistake in the definition of a tool or in a list of tools. It is thrown while the program starts, never during a call. */
export class ToolDefinitionError extends Error {
  override readonly name = 'ToolDefinitionError'
  readonly code: ToolDefinitionErrorCode

  constructor(code: ToolDefinitionErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.code = code
  }
}
