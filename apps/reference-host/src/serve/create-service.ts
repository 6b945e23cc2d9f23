import type { McpServer } from '@toolblocks/mcp-bridge'
import type { ToolService } from '@toolblocks/mcp-bridge/server'
import { createFailure } from '@toolblocks/protocol'
import { createToolExecutor, type ToolEntry } from '@toolblocks/tool-executor'
import type { CallRecord } from '../calls/record-call.ts'
import { createClientApproval } from './approve-by-client.ts'
import { recordCalls } from './record-calls.ts'

/** What is served. */
export interface ServiceOptions {
  version: string
  root: string
  /** For the client's model. */
  instructions?: string
  /** Its links can be read. */
  servers: readonly McpServer[]
  /** Who approves calls of tools with the policy `ask`: the user, asked through the client, or the client as it likes. */
  approval: 'user' | 'client'
  record: CallRecord
}

/** A service and its end. */
export interface OpenedService {
  service: ToolService
  close(): Promise<void>
}

/** Makes an MCP server's tools of entries; those that may never run are not offered. */
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
