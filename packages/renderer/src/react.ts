import { createElement, type ReactElement } from 'react'
import type { ToolResult } from '@toolblocks/protocol'
import { type HtmlOptions, renderHtml } from './html/render-html.ts'

/** The properties of `ToolResultView`. */
export interface ToolResultViewProps extends HtmlOptions {
  result: ToolResult
}

/** A result as a React element: the markup of `renderHtml`, which needs `PAGE_STYLE`, and `PAGE_SCRIPT` for more than folding. */
export function ToolResultView({ result, ...options }: ToolResultViewProps): ReactElement {
  return createElement('div', {
    className: 'tb-view',
    dangerouslySetInnerHTML: { __html: renderHtml(result, options) },
  })
}
