/** An address a person may be sent to, or why not. */
export type ReadAddress =
  | {
      ok: true
      /** In ASCII: nothing in it can pass for something else. */
      href: string
      /** As the network knows it: letters beyond ASCII are in Punycode. */
      host: string
      transport: 'encrypted' | 'plain'
    }
  | { ok: false; problem: string }

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Reads an address from a tool or server: https, or http on this machine, and without a user name or password. */
export function readAddress(text: string): ReadAddress {
  if (!URL.canParse(text)) return { ok: false, problem: 'it is no web address' }
  const { protocol, hostname, host, href, username, password } = new URL(text)
  if (username !== '' || password !== '')
    return { ok: false, problem: 'it carries a user name, which can pass for the host' }
  if (protocol === 'https:') return { ok: true, href, host, transport: 'encrypted' }
  if (protocol === 'http:' && LOOPBACK.test(hostname))
    return { ok: true, href, host, transport: 'plain' }
  return { ok: false, problem: 'only https is shown, and http on this machine' }
}
