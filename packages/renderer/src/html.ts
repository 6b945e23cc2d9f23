export { renderPage } from './html/render-page.ts'
export { type HtmlOptions, renderHtml } from './html/render-html.ts'
