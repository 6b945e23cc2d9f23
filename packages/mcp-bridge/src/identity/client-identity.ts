import { isJsonObject } from '@toolblocks/protocol'

/** Who a client is, as far as it is proved. */
export interface ClientIdentity {
  /** The same for all credentials of one client or person: it owns sessions, tasks and results. */
  readonly id: string
  /** For people and records. */
  readonly name: string
  /** What decides, beside its own table, which rights it has. */
  readonly groups: readonly string[]
  /** What its token is for, as the issuer writes it. Empty for a token of a table. */
  readonly scopes: readonly string[]
}

/** What the check of credentials has come to. */
export type Authenticated =
  | {
      ok: true
      identity: ClientIdentity
      /** Milliseconds since 1970, from which the credentials are refused. Absent: they do not expire. */
      expires?: number
    }
  | {
      ok: false
      /** 401: the credentials are missing or wrong. 403: they do not suffice. */
      status: 401 | 403
      message: string
      /** The header `WWW-Authenticate` of the answer. */
      challenge?: string
    }

/**
 * Checks the credentials of a request. If it rejects, the request is refused with the status 503. It is called again every two seconds while a response is open, which ends when
 * the credentials are refused.
 */
export type Authenticate = (request: {
  /** The header `Authorization`. */
  authorization: string | undefined
}) => Promise<Authenticated>

/** Reads an identity that was written as JSON. */
export function readIdentity(value: unknown): ClientIdentity | undefined {
  if (!isJsonObject(value)) return undefined
  const { id, name, groups, scopes } = value
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return isTexts(groups) && isTexts(scopes) ? { id, name, groups, scopes } : undefined
}

/** Whether a client may continue what it has begun: its groups decide what it is served, so with other groups it begins again. */
export function hasSameGroups(
  one: ClientIdentity | undefined,
  other: ClientIdentity | undefined,
): boolean {
  const write = (identity: ClientIdentity | undefined): string =>
    JSON.stringify(identity && [...new Set(identity.groups)].toSorted())
  return write(one) === write(other)
}

/** Returns the token of a header `Authorization: Bearer TOKEN`. */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1]
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
