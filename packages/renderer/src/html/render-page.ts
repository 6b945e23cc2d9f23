import { requireArguments } from '@toolblocks/protocol/internal'
import type { SafeHtml, ToolResult } from '@toolblocks/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { PAGE_SCRIPT } from './page-script.js'
import { encodeHtml, markup, encodePageLine } from './safe-html.ts'
import { type HtmlOptions, renderHtml } from './render-html.ts'

/** What a page has besides its content. */
export interface PageOptions {
  /** From outside, as it came. */
  title: string
  /** More style, behind that of results. Of the host: nothing in it may come from outside. */
  style?: string
}

/** What comes before and after the content of a page, so that a long page can be written piece by piece. */
export function renderPageFrame(options: PageOptions): {
  head: SafeHtml
  foot: SafeHtml
} {
  requireArguments('renderPageFrame(options)', [options, { title: 'string' }])
  const { title, style = '' } = options
  const whole = PAGE_STYLE + style
  const head = markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${encodeHtml(getPolicy(whole))}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>${encodePageLine(title)}</title><style>${trustText(whole)}</style></head><body>`
  return { head, foot: markup`<script>${trustText(PAGE_SCRIPT)}</script></body></html>\n` }
}

/**
 * One whole page that needs nothing else: its style and script stand in it, and its policy lets nothing else act or be fetched, even if
 * an element of somebody else's were in it.
 */
export function renderPage(content: SafeHtml, options: PageOptions): SafeHtml {
  requireArguments(
    'renderPage(content, options)',
    [content, 'string'],
    [options, { title: 'string' }],
  )
  const { head, foot } = renderPageFrame(options)
  return markup`${head}<main>${content}</main>${foot}`
}

/** What we wrote as it is: neither a style nor a script reads entities. */
function trustText(text: string): SafeHtml {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing in it comes from outside
  return text as SafeHtml
}

/** Returns the source of a text for a Content-Security-Policy. `crypto.subtle` is asynchronous, so it cannot be used here. */
function hashSource(text: string): string {
  const hash = sha256(new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...hash))}'`
}

function getPolicy(style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashSource(PAGE_SCRIPT)}`,
    `style-src ${hashSource(style)}`,
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** A result to look at, and what it shows. */
export interface GallerySample {
  title: string
  result: ToolResult
}

/** Renders one page with results below each other, each under its title. */
export function renderGallery(
  samples: readonly GallerySample[],
  options: HtmlOptions = {},
): SafeHtml {
  requireArguments('renderGallery(samples, …)', [samples, 'array'])
  const sections = samples.map(
    ({ title, result }) =>
      markup`<section><h2>${encodePageLine(title)}</h2>${renderHtml(result, options)}</section>`,
  )
  return renderPage(markup`<h1>Gallery</h1>${sections}`, { title: 'Gallery' })
}

/** The stylesheet for the output of `renderHtml`: light and dark as the reader prefers, from the width of a phone up. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--tb-back:light-dark(#fff,#15181c);--tb-ink:light-dark(#1c2024,#e6e9ec);--tb-dim:light-dark(#5b6470,#a2acb8);--tb-line:light-dark(#d6dbe1,#353c45);--tb-soft:light-dark(#f5f7f9,#1d2127);--tb-link:light-dark(#0b57b0,#8bbcff);--tb-red:light-dark(#b3261e,#ff9c93);--tb-green:light-dark(#14713d,#7fdca0);--tb-yellow:light-dark(#7a5200,#f0c267);--tb-added:light-dark(#e2f6e8,#12301d);--tb-removed:light-dark(#fdeaea,#3a1a1c);--tb-ins:light-dark(#b4e8c4,#1f5c36);--tb-del:light-dark(#f8c6c6,#6d2a2d);--tb-blue:light-dark(#0b57b0,#8bbcff);--tb-violet:light-dark(#7b3fb0,#cfa6ff);--tb-orange:light-dark(#8f4400,#ffb27a)}
*{box-sizing:border-box}
body{margin:0;background:var(--tb-back);color:var(--tb-ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.35rem;margin:.5rem 0}
h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
h3{font-size:1rem;margin:1rem 0 .25rem}
a{color:var(--tb-link)}
p{margin:.35rem 0}
pre{margin:0;white-space:pre-wrap;font:13px/1.45 ui-monospace,monospace;tab-size:4}
code{font:13px/1.45 ui-monospace,monospace}
:focus-visible{outline:2px solid var(--tb-link);outline-offset:2px}
button,input{font:inherit;color:inherit;background:var(--tb-back);border:1px solid var(--tb-line);border-radius:5px;padding:.15rem .5rem}
button{cursor:pointer}
figure{margin:.5rem 0}
img{max-width:100%;max-height:32rem;background:var(--tb-soft)}
audio{display:block;max-width:100%}
tb-code,tb-diff,tb-table,tb-tree{display:block;position:relative;margin:.35rem 0}
.tb-scroll{overflow:auto;border:1px solid var(--tb-line);border-radius:6px;max-width:100%}
.tb-scroll>pre,.tb-scroll>.tb-group,.tb-scroll>.tb-text{padding:.5rem .75rem}
.tb-high-5{max-height:7.5rem}.tb-high-10{max-height:15rem}.tb-high-20{max-height:28rem}.tb-high-40{max-height:40rem}.tb-high-80{max-height:70rem}
.tb-high-5:has(.tb-table){max-height:14rem}.tb-high-10:has(.tb-table){max-height:23rem}.tb-high-20:has(.tb-table){max-height:41rem}
.tb-tall{display:flex;flex-direction:column;min-width:0}.tb-tall>details{order:1}.tb-tall>details>summary{color:var(--tb-link);padding:.2rem .1rem;font-size:.9rem}.tb-tall>details:not([open])+.tb-scroll{max-height:26rem;overflow:auto hidden;-webkit-mask:linear-gradient(#000 80%,transparent);mask:linear-gradient(#000 80%,transparent)}
.tb-bar{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:.25rem 0;font-size:.85rem;color:var(--tb-dim)}
.tb-bar input{min-width:8rem}
.tb-code-keyword,.tb-code-meta{color:var(--tb-violet)}.tb-code-string,.tb-code-added{color:var(--tb-green)}.tb-code-number,.tb-code-type{color:var(--tb-orange)}.tb-code-comment{color:var(--tb-dim);font-style:italic}.tb-code-name,.tb-code-property{color:var(--tb-blue)}.tb-code-removed{color:var(--tb-red)}
tb-code pre{white-space:pre;padding:.5rem .75rem}
.tb-heading{font-weight:600}.tb-level-1{font-size:1.25rem}.tb-level-2{font-size:1.12rem}
.tb-facts,.tb-left,.tb-size{color:var(--tb-dim);font-weight:400}
.tb-left{font-style:italic}
.tb-failure{color:var(--tb-red);font-weight:600}
.tb-warning{color:var(--tb-yellow)}
.tb-key{font-weight:600}
.tb-question{border-left:3px solid var(--tb-yellow);padding-left:.75rem;margin:.35rem 0}
.tb-argument{margin:.2rem 0}.tb-argument pre,.tb-cause{border-left:3px solid var(--tb-line);padding-left:.75rem}
.tb-fold{border:1px solid var(--tb-line);border-radius:6px;padding:.25rem .75rem;margin:.35rem 0}
summary{cursor:pointer}
.tb-task{list-style:none;margin-left:-1.2rem}.tb-task>p{display:inline}
blockquote{margin:.35rem 0;padding-left:.75rem;border-left:3px solid var(--tb-line);color:var(--tb-dim)}
.tb-scroll:has(>.tb-table){width:fit-content}.tb-scroll .tb-scroll{border:0;max-height:none}.tb-scroll .tb-bar{padding:0 .5rem}
.tb-table{border-collapse:collapse;font-size:.92rem}
.tb-table th,.tb-table td{padding:.25rem .6rem;border-bottom:1px solid var(--tb-line);vertical-align:top;text-align:left;overflow-wrap:break-word;max-width:32rem}
.tb-table td a{overflow-wrap:anywhere}.tb-table tr:last-child td{border-bottom:0}
.tb-table th{position:sticky;top:0;background:var(--tb-soft);white-space:nowrap}
.tb-table th button{border:0;background:none;padding:0;font-weight:600}
.tb-table .tb-to-right{text-align:right}.tb-table .tb-to-center{text-align:center}
.tb-diff{border-collapse:collapse;width:100%;font:13px/1.45 ui-monospace,monospace}
.tb-diff td{padding:0 .4rem;vertical-align:top;white-space:pre-wrap}
.tb-diff .tb-number{width:1%;min-width:2.5rem;white-space:nowrap;text-align:right;color:var(--tb-dim);user-select:none}
.tb-diff .tb-sign{width:1%;user-select:none}
.tb-split .tb-line{width:49%}
.tb-split .tb-none{background:var(--tb-soft)}
.tb-diff .tb-added,.tb-diff .tb-added .tb-line{background:var(--tb-added)}
.tb-diff .tb-removed,.tb-diff .tb-removed .tb-line{background:var(--tb-removed)}
.tb-diff ins{background:var(--tb-ins);text-decoration:none}.tb-diff del{background:var(--tb-del);text-decoration:none}
.tb-hunk td,.tb-note td{color:var(--tb-dim);background:var(--tb-soft)}
.tb-added .tb-number,.tb-removed .tb-number{color:inherit}
.tb-tree,.tb-tree ul{list-style:none;margin:0;padding-left:1.1rem;font:13px/1.5 ui-monospace,monospace}
.tb-tree{padding-left:0}
.tb-tree .tb-object,.tb-tree .tb-array{color:var(--tb-dim)}.tb-tree .tb-string{color:var(--tb-green)}.tb-tree .tb-number{color:var(--tb-orange)}.tb-tree .tb-boolean,.tb-tree .tb-null{color:var(--tb-violet)}
.tb-value{white-space:pre-wrap}
.tb-copy{position:absolute;top:.3rem;right:.9rem;font-size:.8rem}
@media(max-width:40rem){main{padding:.6rem}body{font-size:14px}.tb-table th,.tb-table td{padding:.2rem .35rem}.tb-diff td{padding:0 .25rem}.tb-diff .tb-line{word-break:break-all}.tb-diff .tb-number{min-width:0}}
@media print{.tb-scroll{max-height:none;overflow:visible}.tb-bar,.tb-copy{display:none}}
`.replaceAll('\n', '')
