export { PAGE_SCRIPT } from './html/page/page-script.js'
export { PAGE_STYLE } from './html/page/page-style.ts'
export { type GallerySample, renderGallery } from './html/page/render-gallery.ts'
export { type PageOptions, pageFrame, renderPage } from './html/page/render-page.ts'
export { pageAddress } from './html/page-address.ts'
export { pageLine, pageText } from './html/page-text.ts'
export {
  type HtmlOptions,
  renderHtml,
  renderHtmlArguments,
  renderHtmlBlocks,
} from './html/render-html.ts'
export { encodeHtml, markup, joinHtml } from './html/safe-html.ts'
