import type { SafeHtml } from '@toolblocks/protocol'
import { markup } from '@toolblocks/renderer/html'

/** What is shown to whom has not shown the token; a script takes it from the address. */
export function writeEntrance(): SafeHtml {
  return markup`<tb-entrance><h1>Toolblocks</h1><p role="status">Open the address that <code>toolblocks view</code> printed: it has the token that lets you in.</p></tb-entrance>`
}
