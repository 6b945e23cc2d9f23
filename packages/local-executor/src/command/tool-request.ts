import type { Action, ToolCall, ToolContext, ToolRequest } from '@toolblocks/protocol'

/** The parts of a request. */
interface Use {
  readonly call: ToolCall
  readonly context: ToolContext
}

/** Returns the document that an executable receives for one call (docs/protocol.md). It has no answers when arguments are formatted. */
export function toolRequest(
  action: 'run' | 'format_arguments' | 'spawn',
  name: string,
  use: Use,
): ToolRequest {
  return {
    context: { ...requestContext(action, use.context), call_id: use.call.id },
    tool: {
      name,
      arguments: use.call.arguments,
      ...(action !== 'format_arguments' && { answers: use.context.answers }),
      options: use.context.options ?? {},
    },
  }
}

/** Returns a line for a live tool that is already running: it has its arguments and receives only new values. */
export function liveRequest(
  action: 'fetch' | 'apply' | 'abort',
  name: string,
  {
    context,
    values,
  }: Use & { values: Pick<NonNullable<ToolRequest['tool']>, 'input' | 'answers'> },
): ToolRequest {
  return { context: requestContext(action, context), tool: { name, ...values } }
}

function requestContext(action: Action, context: ToolContext): ToolRequest['context'] {
  return {
    action,
    root: context.root,
    access: null,
    ...(context.workspaceId !== undefined && { workspace_id: context.workspaceId }),
    ...(context.conversationId !== undefined && { conversation_id: context.conversationId }),
  }
}

/** Returns the request as one line of JSON, or `undefined` if its values cannot be written as JSON. */
export function serializeRequest(request: ToolRequest & { seq?: number }): string | undefined {
  try {
    return JSON.stringify(request)
  } catch {
    return undefined
  }
}

/** The error message if `serializeRequest` returns `undefined`. */
export const NOT_JSON =
  'The arguments of the call cannot be written as JSON: they are nested too deeply, contain themselves, or hold a value that JSON cannot represent.'
