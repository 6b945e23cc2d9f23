/** How an authorization server knows this program. */
export interface RegisteredClient {
  readonly id: string
  /** Absent: a public client, which has no secret. */
  readonly secret?: string
  /** How the secret is sent, if the authorization server has said so. */
  readonly method?: string
  /** The redirect address that was registered; absent: the client was not registered by this program. */
  readonly redirectUrl?: string
  /** The scopes that were registered; absent: the registration is for all scopes. */
  readonly scopes?: readonly string[]
}

/** The login at one server: what one authorization server has issued for one resource. It is sent to no other. */
export interface Credential {
  /** The URL of the MCP server. */
  readonly server: string
  /** The issuer identifier of the authorization server. */
  readonly issuer: string
  /** The resource for which the tokens are, as the server's metadata names it. */
  readonly resource?: string
  /** The address of the server's metadata, if the server has named it. */
  readonly metadataUrl?: string
  readonly client: RegisteredClient
  /** Sent to the server as a bearer token. */
  readonly accessToken: string
  /** Sent only to the authorization server. Absent: a person logs in again when the access token expires. */
  readonly refreshToken?: string
  /** Milliseconds since 1970; absent: the authorization server has not said it. */
  readonly expiresAt?: number
  /** The scopes that were granted. */
  readonly scopes?: readonly string[]
  /** The code of the error after which the tokens cannot be used any more, such as `invalid_grant`. */
  readonly unusable?: string
}

/** Where credentials are kept, by the URL of the MCP server. */
export interface CredentialStore {
  /** Returns `undefined` for a server at which nobody is logged in. */
  read(server: string): Promise<Credential | undefined>
  /**
   * Replaces the credential of a server by what `edit` returns; `undefined` removes it. While `edit` runs, no other change of the same credential
   * runs, in this process and in others: the authorization server accepts a refresh token only once. If `edit` rejects, nothing changes. `signal` ends
   * the wait for another change: then it rejects with the reason, and `edit` does not run.
   */
  change(
    server: string,
    edit: (current: Credential | undefined) => Promise<Credential | undefined>,
    signal?: AbortSignal,
  ): Promise<Credential | undefined>
}

/** Creates a store that forgets everything when the process ends. */
export function keepInMemory(): CredentialStore {
  const kept = new Map<string, Credential>()
  const changes = new Map<string, Promise<unknown>>()
  return {
    read: async (server) => kept.get(server),
    change: async (server, edit, signal) => {
      signal?.throwIfAborted()
      // A change that has begun is not interrupted.
      const begun = new AbortController()
      const run = async (): Promise<Credential | undefined> => {
        signal?.throwIfAborted()
        begun.abort()
        const next = await edit(kept.get(server))
        if (next) kept.set(server, next)
        else kept.delete(server)
        return next
      }
      const result = (changes.get(server) ?? Promise.resolve()).then(run, run)
      changes.set(server, result)
      const aborted = new Promise<never>((_resolve, reject) => {
        const options = { once: true, signal: begun.signal }
        signal?.addEventListener('abort', () => reject(signal.reason), options)
      })
      return await Promise.race([result, aborted])
    },
  }
}

/** A login without its secrets. */
export interface LoginStatus {
  /** The issuer identifier of the authorization server. */
  readonly issuer: string
  /** The scopes that were granted; absent: the authorization server has not said it. */
  readonly scopes?: readonly string[]
  /** When the access token expires, in milliseconds since 1970; absent: unknown. */
  readonly expiresAt?: number
  /** Whether the login is renewed without a person. */
  readonly isRenewed: boolean
  /** The code of the error after which a person has to log in again. */
  readonly unusable?: string
}

/** Returns the texts of a credential that nobody else may see. */
export function getSecrets({
  accessToken,
  refreshToken,
  client: { secret },
}: Credential): string[] {
  return [accessToken, refreshToken, secret].filter((each) => each !== undefined)
}

export function toStatus({
  issuer,
  scopes,
  expiresAt,
  refreshToken,
  unusable,
}: Credential): LoginStatus {
  return {
    issuer,
    ...(scopes && { scopes }),
    ...(expiresAt !== undefined && { expiresAt }),
    isRenewed: refreshToken !== undefined && unusable === undefined,
    ...(unusable !== undefined && { unusable }),
  }
}
