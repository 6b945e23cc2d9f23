import type { SafeHtml } from '@toolblocks/protocol'
import { encodeHtml, encodePageLine, markup } from '@toolblocks/renderer/internal/html'
import type { SourceState } from '../reading/source-feed.ts'

/** Renders how far files have been read and the warnings about them, as a part of a page that a script updates. */
export function renderSources(state: SourceState): SafeHtml {
  return markup`<section data-part="sources" data-extent="${encodeHtml(state.extent)}">${renderSourceState(state)}</section>`
}

/** Renders the content of that part. */
export function renderSourceState({ extent, share, warnings, problem }: SourceState): SafeHtml {
  if (problem !== undefined)
    return markup`<p class="tb-warnings" role="alert">${encodePageLine(problem)}</p>`
  const percent = Math.floor(share * 100)
  const progress =
    share >= 1
      ? markup``
      : markup`<p class="tb-facts" role="status"><progress max="100" value="${percent}"></progress> ${extent === 'beginning' ? markup`This is the beginning. ` : markup``}The rest is being read: ${percent} %</p>`
  const items = warnings.map((warning) => markup`<li>${encodePageLine(warning)}</li>`)
  const count = warnings.length === 1 ? markup`1 warning` : markup`${warnings.length} warnings`
  const warningList =
    warnings.length === 0
      ? markup``
      : markup`<details class="tb-warnings"><summary>${count} about what was read</summary><ul>${items}</ul></details>`
  return markup`${progress}${warningList}`
}
