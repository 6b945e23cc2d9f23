// Serves site/dist on this machine, under the path of SITE_ADDRESS.
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const DIST = fileURLToPath(new URL('../dist/', import.meta.url))

/** The path of the site, with a slash at both ends. */
export const BASE = process.env.SITE_ADDRESS
  ? new URL(process.env.SITE_ADDRESS).pathname.replace(/\/?$/, '/')
  : '/'

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html;charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain;charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
}

/** Finds the file that an address of the site shows. Returns `undefined` if there is none. */
export function findFile(pathname) {
  if (!pathname.startsWith(BASE)) return undefined
  const file = join(DIST, normalize(decodeURIComponent(pathname.slice(BASE.length))))
  if (!file.startsWith(DIST.replace(/\/$/, ''))) return undefined
  return [file, join(file, 'index.html')].find(
    (each) => statSync(each, { throwIfNoEntry: false })?.isFile() === true,
  )
}

/** Starts the server. Returns its address, with the path of the site, and a function that ends it. */
export async function serveSite() {
  const server = createServer(({ url = '/' }, response) => {
    const file = findFile(new URL(url, 'http://localhost').pathname)
    if (file === undefined) return response.writeHead(404).end('not found')
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream')
    createReadStream(file).pipe(response)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    address: `http://127.0.0.1:${server.address().port}${BASE}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
