import { startProgram, writeCommand } from '@toolblocks/local-executor'
import {
  type McpServer,
  McpServerError,
  type ServerHooks,
  connectServer,
} from '@toolblocks/mcp-bridge'
import { readServer } from './read-server.ts'
import { type WrittenServer } from './written-servers.ts'

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
    const message = `${error.message}; ${describeStart(written)}`
    return { written, ok: false, reason: 'failed', message, fix: error.fix }
  }
}

/** What was started or reached, as it is written: the values of variables are not shown. */
function describeStart({ table }: WrittenServer): string {
  const { command, args, url } = table
  if (typeof command !== 'string') return `it was reached at ${String(url)}`
  const words = Array.isArray(args) ? args.map(String) : []
  return `it was started as ${writeCommand([command, ...words])}`
}
