import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerPage } from './http-options.ts'
import { refuse } from './stateless-http.ts'

/** Answers a request with a page. Returns whether there is one. The signal of the request aborts when the connection ends. */
export async function answerPage(
  incoming: IncomingMessage,
  response: ServerResponse,
  { pages, origin, maxBodyBytes }: { pages: AnswerPage; origin: string; maxBodyBytes: number },
): Promise<boolean> {
  const url = URL.parse(`${origin}${incoming.url ?? '/'}`)
  if (!url || incoming.url?.startsWith('/') !== true) return false
  const { method = 'GET' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? await readBytes(incoming, maxBodyBytes) : undefined
  if (hasBody && !body) {
    response.shouldKeepAlive = false
    refuse(response, 413, `A request may have at most ${maxBodyBytes} bytes.`)
    return true
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const page = await pages(
    new Request(url, {
      method,
      headers: readHeaders(incoming),
      signal: gone.signal,
      ...(body && { body }),
    }),
  )
  if (!page) return false
  await send(page, response, { isHead: method === 'HEAD', signal: gone.signal })
  return true
}

/** Returns the headers that a request of `fetch` can have, with every value of a repeated one. */
function readHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  return headers
}

/** Reads a body; `undefined` if it is larger. */
async function readBytes(
  incoming: IncomingMessage,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    const part: Buffer = chunk
    bytes += part.length
    if (bytes > most) return undefined
    chunks.push(part)
  }
  return new Uint8Array(Buffer.concat(chunks, bytes))
}

async function send(
  page: Response,
  response: ServerResponse,
  { isHead, signal }: { isHead: boolean; signal: AbortSignal },
): Promise<void> {
  const cookies = page.headers.getSetCookie()
  const others = [...page.headers].filter(([name]) => name !== 'set-cookie')
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  response.writeHead(page.status, Object.fromEntries(others))
  if (isHead || !page.body) {
    await page.body?.cancel()
    return void response.end()
  }
  const reader = page.body.getReader()
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (!response.write(value) && !signal.aborted)
      await once(response, 'drain', { signal }).catch(() => undefined)
  }
  response.end()
}
