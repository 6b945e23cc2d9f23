import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Authenticate,
  type ClientIdentity,
  hasSameGroups,
} from '../identity/client-identity.ts'

/** A response that is still open, and the credentials that have opened it. */
interface OpenResponse {
  response: ServerResponse
  identified: ClientIdentity
  /** Whether it is a stream of changes. The answer to a call is still sent after its credentials have expired, but not after they were revoked. */
  isStream: boolean
}

/** The open responses that share credentials. */
interface Opened {
  responses: Set<OpenResponse>
  /** Milliseconds since 1970, from which the credentials are refused. */
  expires: number
}

/** The responses of a service that are open for clients whose credentials can end. */
export interface CredentialWatch {
  /** Ends a response when its credentials end. `expires`: milliseconds since 1970. */
  add(authorization: string, opened: OpenResponse & { expires?: number | undefined }): void
}

/** Milliseconds between two checks of the same credentials. */
const CHECK_MS = 2000

/**
 * Checks the credentials of open responses again, also of those that another replica answers, because each response is open where its client has sent the request. If a check
 * fails, as when an issuer is away, responses stay open until their credentials expire.
 */
export function watchCredentials(
  authenticate: Authenticate,
  { checkMs = CHECK_MS }: { checkMs?: number } = {},
): CredentialWatch {
  const opened = new Map<string, Opened>()
  let timer: NodeJS.Timeout | undefined

  async function check(authorization: string, { responses, expires }: Opened): Promise<void> {
    const late = pause(checkMs, undefined, { ref: false })
    const checking = authenticate({ authorization }).catch(() => undefined)
    const checked = await Promise.race([checking, late])
    const isExpired = Date.now() >= expires
    for (const { response, identified, isStream } of responses) {
      const isSame =
        checked?.ok === true &&
        checked.identity.id === identified.id &&
        hasSameGroups(checked.identity, identified)
      if (isSame || (checked === undefined && !isExpired)) continue
      if (isStream || !isExpired) response.destroy()
    }
  }

  function schedule(): void {
    if (timer !== undefined || opened.size === 0) return
    const next = Math.min(...[...opened.values()].map(({ expires }) => expires)) - Date.now()
    timer = setTimeout(
      () => {
        const checks = [...opened].map(async ([authorization, each]) => check(authorization, each))
        void Promise.all(checks).finally(() => {
          timer = undefined
          schedule()
        })
      },
      next > 0 ? Math.min(next, checkMs) : checkMs,
    ).unref()
  }

  return {
    add: (authorization, { expires = Infinity, ...one }) => {
      if (one.response.destroyed) return
      const same = opened.get(authorization) ?? { responses: new Set(), expires }
      same.expires = expires
      same.responses.add(one)
      opened.set(authorization, same)
      one.response.once('close', () => {
        same.responses.delete(one)
        if (same.responses.size === 0 && opened.get(authorization) === same)
          opened.delete(authorization)
      })
      schedule()
    },
  }
}
