/** The prefix of the fields that MCP itself has in `_meta`, without the slash. */
export const META = 'io.modelcontextprotocol'

/** Whether a field of `_meta` is one of MCP. Other fields belong to whoever sent them. */
export function isOfProtocol(field: string): boolean {
  return field.startsWith(`${META}/`)
}

/** The field that says which task of MCP 2025-11-25 a message belongs to. */
export const RELATED_TASK = `${META}/related-task`

/** The extension of MCP 2026-07-28 for calls whose result is requested later: https://modelcontextprotocol.github.io/ext-tasks/ */
export const TASKS = `${META}/tasks`
