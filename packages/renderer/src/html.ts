export { PAGE_SCRIPT } from './html/page-script.js'
export {
  type GallerySample,
  PAGE_STYLE,
  type PageOptions,
  renderPageFrame,
  renderGallery,
  renderPage,
} from './html/render-page.ts'
export {
  encodeHtml,
  joinHtml,
  markup,
  encodePageAddress,
  encodePageLine,
  encodePageText,
} from './html/safe-html.ts'
export {
  type HtmlOptions,
  renderHtml,
  renderHtmlArguments,
  renderHtmlBlocks,
} from './html/render-html.ts'
