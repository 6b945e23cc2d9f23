import { onTestFinished } from 'vitest'
import type { OAuthOptions } from '../login/create-oauth.ts'
import type { LoginOptions } from '../login/perform-login.ts'
import { type CredentialStore, keepInMemory } from '../login/credential.ts'
import { listenForRedirect } from '../login/listen-for-redirect.ts'
import {
  type AuthorizationServer,
  browse,
  isRedirect,
  type ProtectedServer,
  startAuthorizationServer,
  startProtectedServer,
} from './authorization-server.support.ts'

/** An authorization server, an MCP server that requires its tokens, and what a login at it needs. */
export interface LoginStage {
  authorization: AuthorizationServer
  server: ProtectedServer
  credentials: CredentialStore
  options: OAuthOptions
}

/** Starts both servers until the test ends. */
export async function prepareLogin(
  ...parameters: Parameters<typeof startAuthorizationServer>
): Promise<LoginStage> {
  const authorization = await startAuthorizationServer(...parameters)
  onTestFinished(authorization.close)
  const server = await startProtectedServer(authorization)
  onTestFinished(server.close)
  const credentials = keepInMemory()
  const describeLogin = (scopes: readonly string[], issuer?: string): string =>
    `Log in${issuer === undefined ? '' : ` at ${issuer}`}: ${scopes.join(' ')}.`
  return {
    authorization,
    server,
    credentials,
    options: { url: server.url, credentials, describeLogin },
  }
}

/** A browser that follows the redirects, also the last one, to the program that waits. */
export const openPage: LoginOptions['openPage'] = async ({ path, port }) =>
  await listenForRedirect({
    path,
    ...(port !== undefined && { port }),
    show: async (address) => {
      const last = await browse(address, isRedirect)
      await (await fetch(last)).text()
      return undefined
    },
  })
