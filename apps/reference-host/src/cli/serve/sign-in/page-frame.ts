import { createHash } from 'node:crypto'
import type { SafeHtml } from '@toolblocks/protocol'
import { encodePageLine, markup } from '@toolblocks/renderer/internal/html'

const STYLE = markup`:root{color-scheme:light dark;--ink:light-dark(#1b1f24,#e6e9ed);--dim:light-dark(#57606a,#9aa4af);--back:light-dark(#fff,#14171a);--line:light-dark(#8c959f,#6b7580);--link:light-dark(#0550ae,#7cb7ff);--bad:light-dark(#a40e26,#ff9492)}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:30rem;margin:0 auto;padding:2.5rem 1.25rem;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 1rem}
form{margin:1.25rem 0}label{display:block;font-weight:600;margin-bottom:.35rem}
input{width:100%;font:inherit;padding:.6rem .7rem;color:inherit;background:var(--back);border:1px solid var(--line);border-radius:6px}
button,.way{display:block;width:100%;margin-top:.75rem;padding:.65rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border:1px solid var(--link);border-radius:6px;background:var(--link);color:var(--back)}
.other{background:none;color:var(--link)}
a{color:var(--link)}a.way{color:var(--back)}a.other{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.note{color:var(--dim);font-size:.9rem}.bad{color:var(--bad);font-weight:600}
dl{margin:1rem 0}dt{color:var(--dim);font-size:.9rem}dd{margin:0 0 .6rem;font-weight:600}`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Headers of the pages of a service: only their own style, no script, nothing is kept, nothing comes from elsewhere. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Returns a page of a service about signing in. It works without scripts. */
export function framePage(
  content: SafeHtml,
  {
    title,
    status = 200,
    cookies = [],
  }: { title: string; status?: number; cookies?: readonly string[] },
): Response {
  const page = markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${encodePageLine(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main><h1>${encodePageLine(title)}</h1>${content}</main></body></html>`
  const headers = new Headers(HEADERS)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(page, { status, headers })
}

/** Sends the browser to another address. */
export function redirect(address: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({
    location: address,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
  })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
