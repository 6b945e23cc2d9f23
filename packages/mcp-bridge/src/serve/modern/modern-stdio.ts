/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Transport } from '@modelcontextprotocol/server'
import { createModernServer, type ModernService } from './modern-server.ts'

/** Serves the modern era over what carries messages to one client. */
export function openModernConnection(
  modern: ModernService,
  transport: Transport,
): { close(): Promise<void> } {
  return serveStdio(
    () => {
      const server = createModernServer(modern, '')
      const unwatch = modern.service.onDefinitionsChanged?.(
        () => void server.sendToolListChanged().catch(() => undefined),
      )
      server.onclose = () => unwatch?.()
      return server
    },
    { legacy: 'reject', transport },
  )
}
