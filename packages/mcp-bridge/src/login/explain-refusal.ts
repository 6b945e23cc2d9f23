import { shortenText } from '@toolblocks/protocol/internal'
import { AuthorizationError } from '../wire/http-fetch.ts'
import { maskBody, maskText } from '../wire/known-secrets.ts'
import type { Sdk } from './load-sdk.ts'

/** The maximum of a text of a server that is quoted, in characters. */
const MAX_QUOTED = 500
/** Errors after which an authorization server accepts the same tokens never again (RFC 6749, 5.2). */
const FINAL = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client'])

/** Why an authorization server gave no tokens. */
export interface LoginRefusal {
  readonly explained: AuthorizationError
  /** The code of an error after which the tokens cannot be used any more. */
  readonly code?: string
}

/**
 * Explains an error of an exchange with an authorization server. No secret is in the explanation, even if the server repeats it. `origin` is that of the
 * server of the login.
 */
export function explainRefusal(
  sdk: Sdk,
  error: unknown,
  { what, fix, origin }: { what: string; fix: string; origin: string },
): LoginRefusal {
  if (error instanceof AuthorizationError) {
    const { reason, fix: own, serverText, transient } = error
    return {
      explained: new AuthorizationError(maskText(reason, origin), {
        fix: own,
        serverText: serverText === undefined ? undefined : quote(serverText, origin),
        transient,
      }),
    }
  }
  if (error instanceof sdk.OAuthError) {
    const code = /^[\w.-]{1,64}$/.test(error.code) ? error.code : 'an unknown error'
    // The SDK reports an answer that is no error of OAuth with the complete answer.
    const unread: string = sdk.OAuthErrorCode.ServerError
    const isOwn = error.code !== unread
    const isFinal = FINAL.has(error.code)
    return {
      explained: new AuthorizationError(`${what}: the authorization server answered with ${code}`, {
        fix,
        serverText: isOwn ? quote(error.message, origin) : undefined,
        transient: !isFinal,
      }),
      ...(isFinal && { code: error.code }),
    }
  }
  if (error instanceof sdk.IssuerMismatchError)
    return {
      explained: new AuthorizationError(
        error.kind === 'metadata'
          ? 'the metadata of the authorization server names another issuer'
          : 'the answer comes from another issuer than the authorization server',
        {
          fix: 'Do not log in: somebody may want to read the answer. Tell the operator of the server.',
          serverText: quote(error.received ?? '', origin),
        },
      ),
    }
  if (error instanceof sdk.RegistrationRejectedError)
    return {
      explained: new AuthorizationError(
        `the authorization server does not register this program (HTTP ${error.status})`,
        {
          fix: 'Register this program there by hand, and configure its ID: oauth = { client_id = "…" }.',
          serverText: quote(error.body, origin),
        },
      ),
    }
  if (error instanceof sdk.InsecureTokenEndpointError)
    return {
      explained: new AuthorizationError(
        'the authorization server wants tokens to be requested without https',
        { fix: 'Ask the operator of the server.' },
      ),
    }
  if (error instanceof Error && error.name === 'TimeoutError')
    return {
      explained: new AuthorizationError(
        `${what}: the authorization server did not answer in time`,
        {
          fix: 'Try again later.',
          transient: true,
        },
      ),
    }
  if (error instanceof TypeError) {
    const { cause } = error
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    return {
      explained: new AuthorizationError(
        `${what}: the authorization server cannot be reached${code}`,
        { fix: 'Try again later.', transient: true },
      ),
    }
  }
  // The schemas of the SDK and `JSON.parse`: their messages may quote the answer.
  return {
    explained: new AuthorizationError(
      `${what}: the answer of the authorization server cannot be read`,
      {
        fix: 'Try again later, or tell the operator of the server.',
        transient: true,
      },
    ),
  }
}

function quote(text: string, origin: string): string {
  return shortenText(maskBody(text, origin), MAX_QUOTED)
}
