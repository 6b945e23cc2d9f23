// Inner parts that the packages of the same version share. No API: they may change in any version.
export { PAGE_SCRIPT } from './html/page-script.js'
export { PAGE_STYLE, renderPageFrame, renderGallery } from './html/render-page.ts'
export { findMediaSource, getFileName, getFileSource } from './html/media-source.ts'
export { pairChanges } from './html/render-diff.ts'
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
export { renderHtmlArguments, renderHtmlBlocks } from './html/render-html.ts'
