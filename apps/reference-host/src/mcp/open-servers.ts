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
  /** Whether a server may be started or reached. */
  mayStart(server: WrittenServer): Promise<boolean>
  signal: AbortSignal
}

/** What came of one server. */
export type OpenedServer =
  | { written: WrittenServer; ok: true; server: McpServer }
  | { written: WrittenServer; ok: false; reason: 'untrusted' | 'aborted' }
  | { written: WrittenServer; ok: false; reason: 'failed'; message: string; fix?: string }

/** Connects servers side by side; one that fails takes away itself only. */
export async function openServers(
  servers: readonly WrittenServer[],
  options: OpenServersOptions,
): Promise<readonly OpenedServer[]> {
  return await Promise.all(servers.map(async (written) => await openServer(written, options)))
}

async function openServer(
  written: WrittenServer,
  { root, environment, hooks, mayStart, signal }: OpenServersOptions,
): Promise<OpenedServer> {
  if (!(await mayStart(written))) return { written, ok: false, reason: 'untrusted' }
  const read = readServer(written, { root, environment })
  if (!read.ok) return { written, ok: false, reason: 'failed', message: read.message }
  const connecting = connectServer(read.config, hooks)
  try {
    const server = await unlessAborted(connecting, signal)
    if (server) return { written, ok: true, server }
    connecting.then(
      async (late) => await late.close(),
      () => undefined,
    )
    return { written, ok: false, reason: 'aborted' }
  } catch (error) {
    if (!(error instanceof McpServerError)) throw error
    return { written, ok: false, reason: 'failed', message: error.message, fix: error.fix }
  }
}

/** What is being waited for, or nothing once the signal aborts. */
async function unlessAborted<Value>(
  waiting: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>()
  const abort = (): void => resolve(undefined)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([waiting, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
