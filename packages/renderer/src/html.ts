export { PAGE_SCRIPT } from './html/page/page-script.js'
export { PAGE_STYLE } from './html/page/page-style.ts'
export { type PageOptions, pageFrame, renderPage } from './html/page/render-page.ts'
export { pageAddress } from './html/page-address.ts'
export { pageLine, pageText } from './html/page-text.ts'
export {
  type HtmlOptions,
  renderHtml,
  renderHtmlArguments,
  renderHtmlBlocks,
} from './html/render-html.ts'
export { encodeHtml, html, joinHtml } from './html/safe-html.ts'
