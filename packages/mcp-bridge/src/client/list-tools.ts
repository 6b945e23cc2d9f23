import { parseToolDefinition } from '@toolblocks/parser'
import { type Problem, type ToolDefinition, isJsonObject } from '@toolblocks/protocol'
import { correctSchema, describeValue, quoteBriefly } from '@toolblocks/protocol/internal'
import type { BridgeProblem } from './failures.ts'
import type { Connection } from './keep-connection.ts'
import { restoreDefinition } from './strict-definition.ts'
import type { Loss, Reply } from '../wire/peer.ts'
import { countStray, STRAY_FIX } from '../wire/stray-lines.ts'
import { findInvalidHeader, STATELESS_VERSION } from '../wire/request-headers.ts'

/** The maximum number of pages and of tools that are read from one server. */
const MAX_PAGES = 64
const MAX_TOOLS = 1000

/** The tools of a server, in its order. */
export interface ListedTools {
  definitions: readonly ToolDefinition[]
  /** Paths are relative to the list as if it were one page. */
  problems: readonly (BridgeProblem | Problem)[]
  /** Why the rest of the list is unknown. */
  loss?: Loss
}

/** Reads the list page by page. An invalid definition does not affect others, and a failing page does not affect those before it. */
export async function listTools(
  connection: Pick<Connection, 'protocolVersion' | 'request'>,
  signal: AbortSignal,
): Promise<ListedTools> {
  const definitions = new Map<string, ToolDefinition>()
  const problems: (BridgeProblem | Problem)[] = []
  const cursors = new Set<string>()
  // Only MCP 2026-07-28 repeats arguments in headers.
  const hasHeaders = connection.protocolVersion === STATELESS_VERSION
  let index = 0
  let cursor: string | undefined
  for (let page = 0; ; page++) {
    const reply = await connection.request(
      'tools/list',
      cursor === undefined ? {} : { cursor },
      signal,
    )
    const read = readPage(reply)
    if (typeof read === 'string') {
      problems.push(malformed(`The list of tools ends after ${definitions.size}: ${read}.`))
      const loss = findLoss(reply)
      if (loss) return { definitions: [...definitions.values()], problems, loss }
      break
    }
    for (const value of read.tools) {
      if (definitions.size === MAX_TOOLS) break
      readTool(value, index, { definitions, problems, hasHeaders })
      index += 1
    }
    if (read.nextCursor === undefined) break
    if (definitions.size === MAX_TOOLS || page + 1 === MAX_PAGES || cursors.has(read.nextCursor)) {
      const why = cursors.has(read.nextCursor)
        ? 'the server sent the same cursor twice'
        : `more than ${MAX_TOOLS} tools or ${MAX_PAGES} pages are not read`
      problems.push(malformed(`The list of tools ends after ${definitions.size}: ${why}.`))
      break
    }
    cursor = read.nextCursor
    cursors.add(cursor)
  }
  return { definitions: [...definitions.values()], problems }
}

/** Returns why a page is unknown; `undefined` if the server has answered. */
function findLoss(reply: Reply): Loss | undefined {
  if (reply.kind === 'aborted') {
    const { stray } = reply
    const reason = `${LATE.reason}; ${stray ? countStray(stray) : ''}`
    return stray ? { ...LATE, reason, serverText: stray.text, fix: STRAY_FIX } : LATE
  }
  return reply.kind === 'loss' ? reply.loss : undefined
}

const LATE: Loss = {
  kind: 'timeout',
  reason: 'it did not come in time',
  maybeExecuted: true,
  transient: true,
}

interface Page {
  tools: readonly unknown[]
  nextCursor?: string
}

/** Returns a page, or why there is none. */
function readPage(reply: Reply): Page | string {
  switch (reply.kind) {
    case 'loss':
      return reply.loss.reason
    case 'aborted':
      return LATE.reason
    case 'error':
      return `the server answered with error ${reply.code}: ${quoteBriefly(reply.message)}`
    case 'result': {
      const { result } = reply
      const tools = isJsonObject(result) ? result['tools'] : undefined
      if (!isJsonObject(result) || !Array.isArray(tools))
        return `expected an object with "tools", got ${describeValue(result)}`
      const { nextCursor } = result
      return { tools, ...(typeof nextCursor === 'string' && { nextCursor }) }
    }
  }
}

function readTool(
  value: unknown,
  index: number,
  into: {
    definitions: Map<string, ToolDefinition>
    problems: (BridgeProblem | Problem)[]
    hasHeaders: boolean
  },
): void {
  const { definition, warnings } = parseToolDefinition(restoreDefinition(value))
  for (const warning of warnings)
    into.problems.push({ ...warning, path: `/${index}${warning.path}` })
  if (!definition) return
  const odd = into.hasHeaders ? findInvalidHeader(definition.inputSchema) : undefined
  if (odd !== undefined) {
    into.problems.push({
      ...malformed(`The tool was omitted: ${odd}.`),
      path: `/${index}/inputSchema`,
    })
    return
  }
  if (into.definitions.has(definition.name)) {
    const message = `The tool was omitted: another has the name ${JSON.stringify(definition.name)}.`
    into.problems.push({ ...malformed(message), path: `/${index}/name` })
    return
  }
  into.definitions.set(definition.name, definition)
  for (const { path, message } of correctSchema(definition.inputSchema).corrections)
    into.problems.push({
      path: `/${index}/inputSchema${path}`,
      message: `The schema of the tool ${quoteBriefly(definition.name)} is wrong: ${message}.`,
      code: 'schema-corrected',
    })
}

function malformed(message: string): BridgeProblem {
  return { path: '', message, code: 'malformed-list' }
}
