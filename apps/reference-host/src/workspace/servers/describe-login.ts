import type { LoginStatus } from '@toolblocks/mcp-bridge/oauth'
import type { ServerConfiguration } from '../configuration/server-schema.ts'
import { orderedJson } from '../files/hash-json.ts'
import { maskLiteral } from './mask-server.ts'

/** Describes a login in one line, without its secrets. */
export function describeLogin(
  { issuer, scopes, expiresAt, isRenewed, unusable }: LoginStatus,
  placeName: string | undefined,
): string {
  const end = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()
  return [
    `at ${issuer}`,
    ...(unusable === undefined ? [] : [`over (${unusable})`]),
    ...(isRenewed ? ['renewed automatically'] : end === undefined ? [] : [`until ${end}`]),
    ...(scopes ? [`with the scopes ${scopes.join(' ') || 'none'}`] : []),
    ...(placeName === undefined ? [] : [`kept in ${placeName}`]),
  ].join(', ')
}

/** Describes how a person logs in to a server, as JSON in which a secret is only the name of a variable, and the hosts inside a network. */
export function describeLoginSettings({
  allow_hosts: hosts = [],
  client_secret: secret,
  ...rest
}: NonNullable<ServerConfiguration['oauth']> = {}): {
  settings: string | undefined
  hosts: readonly string[]
} {
  const masked = secret === undefined ? undefined : maskLiteral(secret)
  const settings = { ...rest, ...(masked !== undefined && { client_secret: masked }) }
  return { settings: Object.keys(settings).length === 0 ? undefined : orderedJson(settings), hosts }
}
