import type { Action, ToolCall, ToolContext, ToolRequest } from '@toolblocks/protocol'

/** What a request is made of. */
interface Use {
  readonly call: ToolCall
  readonly context: ToolContext
}

/** The document an executable gets for one call (docs/protocol.md). Formatting needs no answers. */
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

/** A line for a live tool that runs already: it has its arguments, and gets what is new. */
export function liveRequest(
  action: 'fetch' | 'apply' | 'abort',
  name: string,
  { context, given }: Use & { given: Pick<NonNullable<ToolRequest['tool']>, 'input' | 'answers'> },
): ToolRequest {
  return { context: requestContext(action, context), tool: { name, ...given } }
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

/** The request as one line of JSON; `undefined` where its values are none. */
export function serializeRequest(request: ToolRequest & { seq?: number }): string | undefined {
  try {
    return JSON.stringify(request)
  } catch {
    return undefined
  }
}

/** What to say where `serializeRequest` has nothing. */
export const NOT_JSON =
  'The arguments of the call cannot be written as JSON: they nest too deeply, contain themselves, or hold a value that JSON does not know.'
