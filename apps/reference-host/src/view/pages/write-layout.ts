import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, markup } from '@toolblocks/renderer/html'

/** What all pages have around them: where they lead, and the search. */
export function writeLayout(
  content: SafeHtml,
  { title, query = '' }: { title: string; query?: string },
): SafeHtml {
  return markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${encodeHtml(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="page.css"><link rel="stylesheet" href="view.css"><script defer src="page.js"></script><script defer src="view.js"></script></head><body><a class="tb-skip" href="#main">Skip to content</a><nav class="tb-nav" aria-label="Pages"><a href="./">Conversations</a><form role="search" action="search"><input type="search" name="q" value="${encodeHtml(query)}" aria-label="Search conversations" placeholder="Search  ( / )"><button>Search</button></form></nav><main id="main" tabindex="-1">${content}</main></body></html>`
}
