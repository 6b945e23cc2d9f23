import { resolve } from 'node:path'
import { readServers, type ServerConfig } from '@toolblocks/mcp-bridge'
import { pointerSteps } from '@toolblocks/protocol'
import type { WrittenServer } from './written-servers.ts'

/** A server as it can be connected, or what is wrong with how it is written. */
export type ReadServer = { ok: true; config: ServerConfig } | { ok: false; message: string }

/** Reads one server, with the values of variables in their places; programs start in the workspace. */
export function readServer(
  { name, table, tools }: WrittenServer,
  {
    root,
    environment,
  }: { root: string; environment: Readonly<Record<string, string | undefined>> },
): ReadServer {
  const { servers, problems } = readServers({ mcpServers: { [name]: table } }, { environment })
  const [read] = servers
  if (!read || problems.length > 0)
    return {
      ok: false,
      message: problems
        .map(({ path, message }) => [pointerSteps(path).slice(2).join('.'), message])
        .map(([key, message]) => (key === '' ? message : `${key}: ${message}`))
        .join('; '),
    }
  const config = { ...read, ...(Object.keys(tools).length > 0 && { tools }) }
  const { transport } = config
  if (transport.kind === 'http') return { ok: true, config }
  const cwd = resolve(root, transport.cwd ?? '.')
  return { ok: true, config: { ...config, transport: { ...transport, cwd } } }
}
