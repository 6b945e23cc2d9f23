import type { JsonObject } from '@toolblocks/protocol'
import type { ValueSealer } from './seal-values.ts'

/** A value that the browser of one person keeps for this service, encrypted. */
export interface SealedCookie {
  /** Returns the value that a request sends, if it has not expired. */
  read(request: Request): JsonObject | undefined
  /** Returns the header `Set-Cookie` that keeps a value in the browser that has sent a request. */
  write(request: Request, value: JsonObject): string
  /** Returns the header `Set-Cookie` that removes it. */
  remove(request: Request): string
}

/** Creates a cookie that scripts cannot read and that other sites do not send, except when a link of theirs is opened. */
export function createSealedCookie(
  sealer: ValueSealer,
  { name, maxSeconds, now = Date.now }: { name: string; maxSeconds: number; now?: () => number },
): SealedCookie {
  const write = (request: Request, text: string, seconds: number): string => {
    const { isSecure, name: full } = nameCookie(request, name)
    const parts = [`${full}=${text}`, 'Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
    return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ')
  }
  const about = (request: Request): readonly string[] => [name, new URL(request.url).origin]
  return {
    read: (request) => {
      const text = readCookie(request, nameCookie(request, name).name)
      const kept = text === undefined ? undefined : sealer.open(text, about(request))
      const { until, ...value } = kept ?? {}
      return typeof until === 'number' && now() < until ? value : undefined
    },
    write: (request, value) =>
      write(
        request,
        sealer.seal({ ...value, until: now() + maxSeconds * 1000 }, about(request)),
        maxSeconds,
      ),
    remove: (request) => write(request, '', 0),
  }
}

/** Over https, a browser keeps the name for this host alone. Over http on this machine, all ports have the same cookies. */
function nameCookie(request: Request, name: string): { isSecure: boolean; name: string } {
  const { protocol, port } = new URL(request.url)
  const isSecure = protocol === 'https:'
  return { isSecure, name: isSecure ? `__Host-${name}` : `${name}-${port === '' ? '80' : port}` }
}

function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(/[;,]/)
  const pair = pairs.map((each) => each.trim()).find((each) => each.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}
