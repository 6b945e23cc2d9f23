import { startProgram, writeCommand } from '@toolblocks/local-executor'
import {
  connectServer,
  type McpServer,
  McpServerError,
  type ServerHooks,
} from '@toolblocks/mcp-bridge'
import { readServer } from './read-server.ts'
import type { WrittenServer } from './written-servers.ts'

/** How servers are opened. */
export interface OpenServersOptions {
  root: string
  environment: Readonly<Record<string, string | undefined>>
  hooks: ServerHooks
  signal: AbortSignal
}

/** What came of one server. */
export type OpenedServer =
  | { written: WrittenServer; ok: true; server: McpServer }
  | { written: WrittenServer; ok: false; reason: 'aborted' }
  | { written: WrittenServer; ok: false; reason: 'failed'; message: string; fix?: string }

/** Connects servers that were agreed to, side by side; one that fails takes away itself only. */
export async function openServers(
  servers: readonly WrittenServer[],
  options: OpenServersOptions,
): Promise<readonly OpenedServer[]> {
  return await Promise.all(servers.map(async (written) => await openServer(written, options)))
}

async function openServer(
  written: WrittenServer,
  { root, environment, hooks, signal }: OpenServersOptions,
): Promise<OpenedServer> {
  const read = readServer(written, { root, environment })
  if (!read.ok) return { written, ok: false, reason: 'failed', message: read.message }
  try {
    const server = await connectServer(read.config, hooks, { startProgram, signal })
    return { written, ok: true, server }
  } catch (error) {
    if (!(error instanceof McpServerError)) throw error
    if (signal.aborted) return { written, ok: false, reason: 'aborted' }
    return {
      written,
      ok: false,
      reason: 'failed',
      message: explainServer(error, written),
      fix: error.fix,
    }
  }
}

/** Lines of what it said that are told. */
const LAST_LINES = 3

/** Why a server could not be connected: also what it was started with, as it is written, and what it said last. */
function explainServer(error: McpServerError, { name, table }: WrittenServer): string {
  const { reason, said = '' } = error
  const { command, args } = table
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(
    (word) => typeof word === 'string',
  )
  const started = words.length === 0 ? '' : `; it was started with: ${writeCommand(words)}`
  const lines = said.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  const last = lines.slice(-LAST_LINES).map((line) => JSON.stringify(line.trim()))
  const told = last.length === 0 ? '' : `; it said last: ${last.join(', ')}`
  return `MCP server ${JSON.stringify(name)} could not be connected: ${reason}${started}${told}`
}
