/** The code of the cause of an error about a request that cannot be sent. */
export const NOT_SENT = 'ERR_NOT_SENT'

/** The characters that a header may have (RFC 9110, 5.5), as Node.js sends them. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Returns the error for a request that cannot be sent, as `fetch` reports one without a connection. The errors of Node.js quote the address or the
 * value of the header, which may be a secret.
 */
export function notSent(what: string): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error(what), { code: NOT_SENT }),
  })
}

/** Creates headers; later ones replace earlier ones. Throws the error of `notSent` if one cannot be sent. */
export function createHeaders(entries: Iterable<readonly [name: string, value: string]>): Headers {
  const headers = new Headers()
  for (const [name, value] of entries) {
    try {
      headers.set(name, value)
    } catch {
      throw unsendable(name)
    }
    // Without the spaces and line breaks at its ends, which are not sent.
    if (!SENDABLE.test(headers.get(name) ?? '')) throw unsendable(name)
  }
  return headers
}

function unsendable(name: string): TypeError {
  return notSent(
    `the header ${JSON.stringify(name)} has a character that cannot be sent; expected one line of Latin letters, digits and signs`,
  )
}
