export { PAGE_SCRIPT } from './html/page-script.js'
export {
  type GallerySample,
  PAGE_STYLE,
  type PageOptions,
  renderPageFrame,
  renderGallery,
  renderPage,
} from './html/render-page.ts'
export { findMediaSource, getFileName, getFileSource } from './html/media-source.ts'
export { type ChangeRow, pairChanges } from './html/render-diff.ts'
export {
  encodeHtml,
  joinHtml,
  markup,
  encodePageAddress,
  encodePageDecision,
  encodePageLine,
  encodePageText,
  sanitizePageDecision,
  sanitizePageLine,
  sanitizePageText,
} from './html/safe-html.ts'
export { sortRows } from './html/sort-rows.ts'
export {
  type HtmlOptions,
  renderHtml,
  renderHtmlArguments,
  renderHtmlBlocks,
} from './html/render-html.ts'
