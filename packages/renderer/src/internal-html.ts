// Inner parts that the packages of the same version share. No API: they may change in any version.
export { PAGE_SCRIPT } from './html/page-script.js'
export { PAGE_STYLE, renderPageFrame, renderGallery } from './html/render-page.ts'
export { createElement, type PageChild, type PageElement } from './html/page-element.ts'
export { type PageWriter } from './html/page-writer.ts'
export { renderChanges } from './html/render-diff.ts'
export { renderCode } from './html/render-markdown.ts'
export { renderPart } from './html/render-part.ts'
export { renderCells, renderTableRemarks } from './html/render-table.ts'
export { renderLink, renderOmitted } from './html/render-text.ts'
export {
  canFillIn,
  encodeHtml,
  joinHtml,
  markup,
  encodePageAddress,
  encodePageDecision,
  encodePageLine,
  encodePageText,
  type PageText,
  pageText,
  sanitizePageDecision,
  sanitizePageLine,
  sanitizePageText,
} from './html/safe-html.ts'
export { filterRows, sortRows } from './html/sort-rows.ts'
export { renderHtmlArguments, renderHtmlBlocks } from './html/render-html.ts'
