/** How results are rendered for a terminal. */
export interface RenderOptions {
  /** `ansi`: with colours, a tool's own too. Default: `none`, for files, pipes and `NO_COLOR`. */
  colors?: 'none' | 'ansi'
  /** Absolute path of the workspace, so that paths are shown relative to it. */
  root?: string
  /** Lines of one block that are shown; the rest is counted. Default: 40. Errors and questions are not cut by it. */
  maxLines?: number
}
