import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { getProxyForUrl } from 'proxy-from-env'
import { isLoopbackHost } from './inner-address.ts'
import { notSent } from './not-sent.ts'

/** A proxy that the variables of this process name for an address. */
export interface Proxy {
  /** Its connections. */
  readonly agent: Agent
  /** Its address without a user name and a password. */
  readonly name: string
}

/** The agents of the proxies that were used, by the protocol of the request and the address of the proxy. */
const agents = new Map<string, Agent>()

/** As the global agent of Node.js. */
const KEPT = { keepAlive: true, scheduling: 'lifo', timeout: 5000 } as const

/**
 * Returns the proxy for an address: that of `HTTPS_PROXY`, `HTTP_PROXY` or `ALL_PROXY` (also in lower case), unless `NO_PROXY` names the host.
 * Addresses of this machine have none. Throws if the proxy cannot be used.
 */
export function findProxy(url: URL): Proxy | undefined {
  if (isLoopbackHost(url.hostname)) return undefined
  const found = getProxyForUrl(url.href)
  if (found === '') return undefined
  const proxy = URL.parse(isWritten(found) ? found : found.replace(/^https:/, 'http:'))
  if (proxy?.protocol !== 'http:' && proxy?.protocol !== 'https:')
    throw notSent(
      `the variable for the proxy of ${url.protocol}//${url.host} has no address of a proxy over HTTP; expected http://HOST:PORT`,
    )
  if (!canUseProxies(process.versions.node))
    throw notSent(
      `the variables name the proxy ${proxy.host} for ${url.host}, which Node.js ${process.versions.node} cannot use; update it to 22.21, 24.5 or later, or add ${url.hostname} to NO_PROXY`,
    )
  const key = `${url.protocol} ${proxy.href}`
  const Kind = url.protocol === 'https:' ? SecureAgent : Agent
  const agent =
    agents.get(key) ??
    new Kind({ ...KEPT, proxyEnv: { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href } })
  agents.set(key, agent)
  return { agent, name: proxy.host }
}

const VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY']

/** Whether a variable has the address as it is. Otherwise it has none with a protocol, which usually means a proxy over plain HTTP. */
function isWritten(address: string): boolean {
  return VARIABLES.some((name) =>
    [process.env[name], process.env[name.toLowerCase()]].includes(address),
  )
}

/** Whether a version of Node.js sends the requests of an agent through its proxy. */
export function canUseProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21)
}

/** Names the proxy in the error of a request that has failed, without its password. */
export function explainProxy(error: Error, { name }: Proxy): Error {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  const reason = message.replaceAll(/\/\/[^/@\s]*@/g, '//')
  const named = `${reason}, through the proxy ${name} of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY`
  return Object.assign(new Error(named), { code, syscall })
}
