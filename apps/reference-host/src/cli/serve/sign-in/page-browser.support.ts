/** A browser of one person: it keeps cookies for a host, with all its ports, and follows redirects. */
export interface PageBrowser {
  /** Opens an address, and follows redirects until one leads to `isEnd`, which is not opened. */
  open(
    address: string,
    options?: {
      form?: Record<string, string>
      isEnd?: (url: URL) => boolean
      headers?: Record<string, string>
    },
  ): Promise<OpenedPage>
  readonly cookies: Map<string, string>
  /** The lines that have set a cookie. */
  readonly setCookies: readonly string[]
}

interface OpenedPage {
  url: URL
  status: number
  text: string
  headers: Headers
}

/** Starts a browser. */
export function startBrowser(): PageBrowser {
  const cookies = new Map<string, string>()
  const setCookies: string[] = []
  return {
    cookies,
    setCookies,
    open: async (address, { form, isEnd = () => false, headers = {} } = {}) => {
      let url = new URL(address)
      let body = form && new URLSearchParams(form)
      for (let hops = 0; ; hops += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(url, {
          redirect: 'manual',
          headers: { cookie, ...(body && { origin: url.origin }), ...headers },
          ...(body && { method: 'POST', body }),
        })
        const text = await response.text()
        for (const line of response.headers.getSetCookie()) {
          setCookies.push(line)
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null || hops > 20)
          return { url, status: response.status, text, headers: response.headers }
        url = new URL(location, url)
        body = undefined
        if (isEnd(url)) return { url, status: response.status, text, headers: response.headers }
      }
    },
  }
}
