import { onTestFinished } from 'vitest'
import {
  type AuthorizationServer,
  type ProtectedServer,
  startAuthorizationServer,
  startProtectedServer,
} from '../../packages/mcp-bridge/src/testing/authorization-server.support.ts'

/** Starts an authorization server and an MCP server that greets the person of a token, until the test ends. */
export async function startLoginServers(): Promise<{
  authorization: AuthorizationServer
  server: ProtectedServer
}> {
  const authorization = await startAuthorizationServer()
  onTestFinished(authorization.close)
  const server = await startProtectedServer(authorization)
  onTestFinished(server.close)
  return { authorization, server }
}
