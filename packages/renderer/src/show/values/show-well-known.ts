import {
  isWellKnownValue,
  type PreferredView,
  type ToolResultValue,
  type WellKnownKind,
} from '@toolblocks/protocol'
import type { ValueContext } from '../context/show-context.ts'
import type { ShownPart } from '../shown-part.ts'
import { showDiff } from './diff/show-diff.ts'
import { showFileContent, showFileList, showImage } from './show-files.ts'
import { isToldBy } from './told-by-blocks.ts'
import { showColumns } from './views/show-table.ts'
import { showText } from './views/show-text.ts'

/** Other views of a kind than its own. */
const OTHER_VIEWS: Readonly<Record<WellKnownKind, readonly PreferredView[]>> = {
  text: ['markdown', 'code', 'diff', 'tree', 'raw'],
  diff: ['code', 'tree', 'raw'],
  file_content: ['text', 'markdown', 'diff', 'tree', 'raw'],
  file_list: ['table', 'tree', 'raw'],
  table: ['tree', 'raw'],
  image: ['tree', 'raw'],
  structured: [],
}

/** A value of a well-known kind in the view of that kind; undefined for other kinds. */
export function showWellKnown(
  value: ToolResultValue,
  context: ValueContext,
): readonly ShownPart[] | undefined {
  if (!isWellKnownValue(value)) return undefined
  switch (value.kind) {
    case 'text': {
      const { content } = value.data
      if (isToldBy(context.content, content)) return []
      return [
        showText(content, value.mimeType === 'text/markdown' ? 'markdown' : 'text', value, context),
      ]
    }
    case 'file_content':
      return showFileContent(value, context)
    case 'file_list':
      return showFileList(value, context)
    case 'table':
      return showColumns(value, context)
    case 'diff':
      return showDiff(value, context)
    case 'image':
      return showImage(value)
    case 'structured':
      return undefined
  }
}

/** Whether a hint asks for another view of a well-known kind than its own. */
export function asksForOtherView(value: ToolResultValue): boolean {
  const view = value.display?.preferredView
  return view !== undefined && isWellKnownValue(value) && OTHER_VIEWS[value.kind].includes(view)
}
