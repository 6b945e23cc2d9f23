export { createViewer, type ViewerOptions } from './create-viewer.ts'
export type { AnswerPagesOptions as AnswerOptions } from './questions/add-question-pages.ts'
export {
  type GuardedPages,
  type GuardOptions,
  guardPages,
  guardServicePages,
  readOrigin,
  type ServiceGuardOptions,
} from './guard.ts'
export { limitFailures } from './limit-failures.ts'
export { getPageAddress, type GalleryItem } from './pages/render-pages.ts'
export { createSourceFeed, type SourceFeed, type SourceState } from './reading/source-feed.ts'
export type { CardOptions } from './timeline/card-frame.ts'
export { type MarkdownOptions, renderMarkdownExport } from './export/render-markdown.ts'
export { renderPageExport } from './export/render-page.ts'
export {
  type ServedViewer,
  type ServeViewerOptions as ServeOptions,
  serveViewer,
} from './serve-viewer.ts'
