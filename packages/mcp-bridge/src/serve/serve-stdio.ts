import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { MAX_LINE_BYTES } from '../connection/line-reader.ts'
import { closeSessions } from './close-sessions.ts'
import { serveSession } from './serve-session.ts'
import type { Served, ToolService } from './tool-service.ts'

/**
 * Serves on this process's standard streams: nothing else may be written to its output. Over when the client closes the input.
 */
export async function serveStdio(service: ToolService): Promise<Served> {
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: MAX_LINE_BYTES,
  })
  const { promise: closed, resolve: finish } = Promise.withResolvers<void>()
  const session = await serveSession(service, transport, finish)
  process.stdin.once('end', () => void session.close())
  process.stdout.once('error', () => void session.close())
  return {
    closed,
    close: async (options) => await closeSessions([session], options),
  }
}
