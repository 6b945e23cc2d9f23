import type { McpServer } from '@toolblocks/mcp-bridge'
import type { ToolService } from '@toolblocks/mcp-bridge/server'
import {
  type Approval,
  type ExecuteCall,
  booleanQuestion,
  createFailure,
} from '@toolblocks/protocol'
import { type ApproveCall, type ToolEntry, createToolExecutor } from '@toolblocks/tool-executor'
import { beginConversation } from '../../workspace/conversations/conversation-origin.ts'
import type { CallRecord } from '../../workspace/conversations/record-call.ts'

/** The tools that are served, and how. */
export interface ServiceOptions {
  version: string
  root: string
  /** The instructions for the client's model. */
  instructions?: string
  /** The servers whose links can be read. */
  servers: readonly McpServer[]
  /** Who approves calls of tools with the policy `ask`: the user, who is asked through the client, or the client itself. */
  approval: 'user' | 'client'
  record: CallRecord
}

/** A service and how to close it. */
interface OpenedService {
  service: ToolService
  close(): Promise<void>
}

/** Creates the tools of an MCP server. Tools with the policy `deny` or `skip` are not offered. */
export function createService(
  entries: readonly ToolEntry[],
  { version, root, instructions, servers, approval, record }: ServiceOptions,
): OpenedService {
  const offered = entries.flatMap((entry) => offer(entry, approval))
  const { approve, during } = createClientApproval()
  const executor = createToolExecutor({
    tools: offered,
    approve,
    recordInquiry: record.record,
    liveSchema: 'flat',
  })
  const links = servers.length > 0
  return {
    service: {
      name: 'toolblocks',
      version,
      root,
      ...(instructions !== undefined && { instructions }),
      definitions: executor.definitions,
      callTool: during(recordCalls(executor.execute, record, root)),
      ...(links && {
        readResource: async (uri, signal) => {
          const server = servers.find((each) => each.hasLinked(uri))
          return server
            ? await server.readResource(uri, { signal })
            : createFailure(`No tool has returned a link to ${JSON.stringify(uri)}.`)
        },
      }),
    },
    close: executor.close,
  }
}

function offer(entry: ToolEntry, approval: ServiceOptions['approval']): readonly ToolEntry[] {
  switch (entry.policy ?? 'ask') {
    case 'deny':
    case 'skip':
      return []
    case 'unattended':
      return [entry]
    case 'ask':
      return [approval === 'client' ? { ...entry, policy: 'unattended' } : entry]
  }
}

/** Records every call of tools that work in a folder, and its result. Calls that run at the same time are one turn. */
export function recordCalls(
  callTool: ExecuteCall,
  { record, keepBytes }: CallRecord,
  folder: string,
): ExecuteCall {
  let turn = 0
  let running = 0
  return async (call, context) => {
    running += 1
    if (running === 1) {
      turn += 1
      const first = turn === 1 ? [beginConversation({ command: 'serve', folder })] : []
      await record(...first, { type: 'turn_start', turn })
    }
    try {
      await record({ type: 'tool_call', call })
      const result = await callTool(call, { ...context, ...(keepBytes && { keepBytes }) })
      await record({ type: 'tool_result', result })
      return result
    } finally {
      running -= 1
    }
  }
}

/** Asks the user of a client, through the call itself, whether the call may run. */
interface ClientApproval {
  approve: ApproveCall
  /** Wraps the execution of calls, so that their clients can be asked. The ids of calls are unique. */
  during(callTool: ExecuteCall): ExecuteCall
}

const HOW_TO_SETTLE =
  'the user of the client could not be asked; to allow this call, set run = "unattended" for the tool, or start "toolblocks serve" with --trust-client, which accepts the approval of the client'

/** Creates an approval that asks the client that made the call. A client that cannot ask receives an explanation of how to allow the call. */
function createClientApproval(): ClientApproval {
  const running = new Map<string, Parameters<ExecuteCall>[1]>()
  return {
    during: (callTool) => async (call, context) => {
      running.set(call.id, context)
      try {
        return await callTool(call, context)
      } finally {
        running.delete(call.id)
      }
    },
    approve: async (call, { formatted, signal }): Promise<Approval> => {
      const user = running.get(call.id)?.ask?.user
      if (!user) return { decision: 'denied', reason: HOW_TO_SETTLE }
      const text = `Run ${call.name}?`
      const answer = await user(booleanQuestion({ id: 'run', text }), {
        blocks: formatted?.content ?? [
          { type: 'text', text: JSON.stringify(call.arguments, null, 2) },
        ],
        source: { kind: 'question', call },
        signal,
      })
      switch (answer.action) {
        case 'accept':
          return answer.value === true
            ? { decision: 'allowed' }
            : { decision: 'denied', reason: 'by the user' }
        case 'decline':
          return { decision: 'denied', reason: 'by the user' }
        case 'cancel':
          return answer.reason === 'nobody' || answer.reason === 'failed'
            ? { decision: 'denied', reason: HOW_TO_SETTLE }
            : { decision: 'cancelled' }
      }
    },
  }
}
