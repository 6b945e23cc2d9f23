import { createFailure, type Tool, type ToolResult } from '@toolblocks/protocol'
import type { McpServer } from './mcp-server.ts'
import { limitContent } from './read-links.ts'

/** The maximum of one call, in bytes of text or of decoded content. */
const MAX_BYTES = 1024 * 1024

/**
 * Creates the tool `read_resource`, which reads the target of a link from the server whose result contained the link. Only links of earlier results
 * are read, and this side never reads over the network itself.
 */
export function createReadResourceTool(
  servers: () => readonly McpServer[],
  { maxBytes = MAX_BYTES }: { maxBytes?: number } = {},
): Tool {
  return {
    name: 'read_resource',
    title: 'Read a linked resource',
    summary: 'Reads the content behind a resource link that a tool returned.',
    description:
      'Reads the content behind a resource link that a tool returned, from the server that returned it. Use the uri exactly as it was in the link.',
    inputSchema: {
      type: 'object',
      properties: {
        uri: { type: 'string', description: 'The uri of the link.' },
        server: {
          type: 'string',
          description: 'The name of the server, if several linked to the same uri.',
        },
      },
      required: ['uri'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    execute: async ({ arguments: { uri, server } }, context) => {
      if (typeof uri !== 'string') return createFailure('"uri": expected a string.')
      const mcpServer = findServer(uri, server, servers())
      if ('isError' in mcpServer) return mcpServer
      return limitContent(await mcpServer.readResource(uri, context), maxBytes)
    },
  }
}

function findServer(
  uri: string,
  name: unknown,
  servers: readonly McpServer[],
): McpServer | ToolResult {
  const linking = servers.filter(
    (server) => server.hasLinked(uri) && (name === undefined || server.name === name),
  )
  const [only, ...others] = linking
  if (!only)
    return createFailure(
      `No tool has returned a link to ${JSON.stringify(uri)}; only such links can be read. Copy the uri exactly.`,
    )
  if (others.length === 0) return only
  const names = linking.map((server) => JSON.stringify(server.name)).join(', ')
  return createFailure(
    `Several servers linked to ${JSON.stringify(uri)}; name one as "server": ${names}.`,
  )
}
