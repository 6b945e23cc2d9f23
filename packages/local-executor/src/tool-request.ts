import type { ToolCall, ToolContext, ToolRequest } from '@toolblocks/protocol'

/** The document an executable gets for one call (design section 4). Formatting needs no answers. */
export function toolRequest(
  action: 'run' | 'format_arguments',
  name: string,
  { call, context }: { call: ToolCall; context: ToolContext },
): ToolRequest {
  return {
    context: {
      action,
      root: context.root,
      access: null,
      ...(context.workspaceId !== undefined && { workspace_id: context.workspaceId }),
      ...(context.conversationId !== undefined && { conversation_id: context.conversationId }),
    },
    tool: {
      name,
      arguments: call.arguments,
      ...(action === 'run' && { answers: context.answers }),
      options: context.options ?? {},
    },
  }
}
