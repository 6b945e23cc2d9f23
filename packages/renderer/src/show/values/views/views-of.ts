import { languageForMimeType } from '@toolblocks/media-type'
import type { PreferredView, ToolResultValue } from '@toolblocks/protocol'
import { isTabular } from './is-tabular.ts'

/** A view that shows something. */
export type View = Exclude<PreferredView, 'hidden'>

/** The views to try, one after another: as the tool prefers, else as its mime type and the shape of its data suggest. */
export function viewsOf(value: ToolResultValue): readonly [View, ...View[]] {
  const preferred = value.display?.preferredView
  const inferred = inferView(value)
  // What is hidden, and yet to be shown, is shown as if nothing were preferred.
  return preferred === undefined || preferred === 'hidden' ? [inferred] : [preferred, inferred]
}

/** The view that the mime type of a value suggests, else the shape of its data. */
export function inferView({ mimeType, data }: Pick<ToolResultValue, 'mimeType' | 'data'>): View {
  if (mimeType !== undefined) {
    const byType = viewOfMimeType(mimeType)
    if (byType !== undefined) return byType
  }
  if (isTabular(data)) return 'table'
  if (typeof data === 'string') return 'text'
  return 'raw'
}

function viewOfMimeType(mimeType: string): View | undefined {
  const [type = ''] = mimeType.toLowerCase().split(';')
  const essence = type.trim()
  if (essence === 'text/markdown') return 'markdown'
  if (essence === 'text/x-diff' || essence === 'text/x-patch') return 'diff'
  if (essence === 'application/json' || essence.endsWith('+json')) return 'tree'
  if (essence.startsWith('image/')) return 'image'
  if (!essence.startsWith('text/')) return undefined
  return essence === 'text/plain' || languageForMimeType(essence) === undefined ? 'text' : 'code'
}
