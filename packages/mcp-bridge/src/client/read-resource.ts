import {
  type ContentBlock,
  createFailure,
  createSuccessResult,
  type JsonObject,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { quoteName } from '@toolblocks/protocol/internal'
import { describeUnread } from './failures.ts'
import type { KeptConnection } from './keep-connection.ts'
import { startDeadline, stopDeadline } from './running-calls.ts'
import { fromCallToolResult } from './from-call-tool-result.ts'

/** The part of a server that reading a resource needs. */
export interface ReadableServer {
  server: string
  kept: KeptConnection
  timeoutMs: number
}

/** Reads a resource as embedded resources with all fields of the server. One invalid content does not affect the others. */
export async function readResource(
  uri: string,
  { server, kept, timeoutMs }: ReadableServer,
  outer: AbortSignal,
): Promise<ToolResult> {
  const deadline = startDeadline(timeoutMs, outer)
  const { signal } = deadline
  try {
    const { reply } = await kept.send(
      async (connection) => await connection.request('resources/read', { uri }, signal),
      signal,
    )
    if (reply.kind !== 'result')
      return describeUnread({ server, uri }, reply, { isOver: deadline.isOver, timeoutMs })
    return readContents(reply.result, { server, uri })
  } finally {
    stopDeadline(deadline)
  }
}

function readContents(
  answer: unknown,
  { server, uri }: { server: string; uri: string },
): ToolResult {
  const contents = isJsonObject(answer) ? answer['contents'] : undefined
  if (!isJsonObject(answer) || !Array.isArray(contents))
    return createFailure(
      `The MCP server ${quoteName(server)} answered without "contents" for ${quoteName(uri)}.`,
    )
  const content = contents.map((resource: unknown) => ({ type: 'resource', resource }))
  const read = fromCallToolResult({ content, ...getMeta(answer) })
  if (read.kind !== 'complete' || read.result.content.length === 0)
    return createFailure(
      `The MCP server ${quoteName(server)} has nothing to read at ${quoteName(uri)}.`,
    )
  const { result } = read
  return {
    ...createSuccessResult(result.content satisfies readonly ContentBlock[]),
    ...(result.metadata && { metadata: result.metadata }),
    ...(result._meta && { _meta: result._meta }),
  }
}

function getMeta({ _meta: meta }: JsonObject): JsonObject {
  return meta === undefined ? {} : { _meta: meta }
}
