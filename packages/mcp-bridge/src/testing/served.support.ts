import { createSuccessResult, type ToolDefinition, type ToolResult } from '@toolblocks/protocol'
import { onTestFinished } from 'vitest'
import { serveHttp, type RunningHttpService } from '../serve-http.ts'
import type { HttpOptions } from '../server/http-options.ts'
import type { ServerConfig } from '../client/server-config.ts'
import type { ServeCall, ToolService } from '../server/tool-service.ts'

export type Execute = ServeCall

export const tool = (definition: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: 'tool',
  inputSchema: { type: 'object' },
  ...definition,
})

/** Serves tools until the test ends. */
export async function serve(
  callTool: Execute,
  service: Partial<ToolService> = {},
  options: Partial<HttpOptions> = {},
): Promise<RunningHttpService> {
  const served = await serveHttp(
    { name: 'ours', version: '1', root: '/w', definitions: () => [tool()], callTool, ...service },
    { port: 0, ...options },
  )
  onTestFinished(async () => await served.close({ graceMs: 0 }))
  return served
}

export const text = (value: string): ToolResult =>
  createSuccessResult([{ type: 'text', text: value }])
/** Returns the headers that every client sends. */
export const bearer = ({
  token,
}: Pick<RunningHttpService, 'token'>): { authorization: string } => ({
  authorization: `Bearer ${token}`,
})
/** Returns the configuration of a client of these tools. */
export const getServerConfig = (
  served: RunningHttpService,
  headers: Record<string, string> = {},
): ServerConfig => ({
  name: 'ours',
  transport: {
    kind: 'http',
    url: served.url,
    headers: { ...bearer(served), ...headers },
  },
})
