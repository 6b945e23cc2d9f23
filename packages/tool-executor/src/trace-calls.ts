import type { ExecuteCall, OperationEnd, Telemetry, ToolResult } from '@toolblocks/protocol'

/** The longest name of a tool that is reported. */
const MAX_NAME = 128
/** The longest arguments and results. */
const MAX_CONTENT = 65_536

/** Reports each call by OpenTelemetry's conventions for GenAI. `isKnown`: a name that a model invents would be another series of the durations. */
export function traceCalls(
  execute: ExecuteCall,
  { telemetry, isKnown }: { telemetry: Telemetry; isKnown: (tool: string) => boolean },
): ExecuteCall {
  const { capturesContent } = telemetry
  return async (call, context) => {
    const tool = isKnown(call.name) ? call.name.slice(0, MAX_NAME) : '_OTHER'
    const running = telemetry.start({
      name: `execute_tool ${tool}`,
      kind: 'internal',
      duration: 'gen_ai.execute_tool.duration',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.type': 'function',
      },
      details: {
        'gen_ai.tool.call.id': call.id,
        'gen_ai.conversation.id': context.conversationId,
        ...(capturesContent && { 'gen_ai.tool.call.arguments': toText(call.arguments) }),
      },
    })
    // A call whose host fails has no result.
    let end: OperationEnd = { error: '_OTHER' }
    try {
      const result = await running.run(async () => await execute(call, context))
      end = describeEnd(result, capturesContent)
      return result
    } finally {
      running.end(end)
    }
  }
}

/** An outcome other than `completed` is an error. */
function describeEnd({ content, metadata }: ToolResult, capturesContent: boolean): OperationEnd {
  const { outcome = 'completed' } = metadata ?? {}
  if (outcome !== 'completed') return { error: outcome }
  return capturesContent ? { details: { 'gen_ai.tool.call.result': toText(content) } } : {}
}

function toText(value: unknown): string {
  return JSON.stringify(value).slice(0, MAX_CONTENT)
}
