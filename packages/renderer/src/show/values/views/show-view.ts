import { isWellKnownValue, type ToolResultValue } from '@toolblocks/protocol'
import type { ShowContext, ValueContext } from '../../context/show-context.ts'
import type { ShownPart } from '../../shown-part.ts'
import { showDiff, showHunks } from '../diff/show-diff.ts'
import { readPatch } from '../diff/read-patch.ts'
import { imageIn } from '../image-in.ts'
import { showImage } from '../show-files.ts'
import { isToldBy } from '../told-by-blocks.ts'
import { field, textIn } from './data-fields.ts'
import { isTabular } from './is-tabular.ts'
import { showColumns, showRows } from './show-table.ts'
import { showJson } from './show-json.ts'
import { showText } from './show-text.ts'
import { showTree } from './show-tree.ts'
import type { View } from './views-of.ts'

/** Data in a view, whatever its kind; undefined where the data does not fit it. */
export function showView(
  view: View,
  value: ToolResultValue,
  context: ShowContext & ValueContext,
): readonly ShownPart[] | undefined {
  const { data } = value
  switch (view) {
    case 'text':
    case 'markdown':
    case 'code': {
      const text = textIn(data)
      if (text === undefined) return undefined
      return isToldBy(context.content, text) ? [] : [showText(text, view, value, context)]
    }
    case 'diff':
      return showAsDiff(value, context)
    case 'table':
      return showAsTable(value, context)
    case 'tree':
      return [showTree(data, value.display?.fieldTypes, context)]
    case 'image':
      return showAsImage(value)
    case 'raw':
      return [showJson(data, context)]
  }
}

function showAsDiff(
  value: ToolResultValue,
  context: ValueContext,
): readonly ShownPart[] | undefined {
  const diff = { kind: 'diff', data: value.data }
  if (isWellKnownValue(diff) && diff.kind === 'diff') return showDiff(diff, context)
  const text = textIn(value.data)
  const hunks = text === undefined ? [] : readPatch(text)
  return hunks.length === 0 ? undefined : [showHunks(hunks, context)]
}

function showAsTable(
  value: ToolResultValue,
  context: ValueContext,
): readonly ShownPart[] | undefined {
  const { data, display } = value
  const table = { kind: 'table', data, ...(display && { display }) }
  if (isWellKnownValue(table) && table.kind === 'table') return showColumns(table, context)
  const rows = [data, field(data, 'rows'), field(data, 'entries')].find(isTabular)
  return rows && showRows(rows, display?.fieldTypes, context)
}

function showAsImage(value: ToolResultValue): readonly ShownPart[] | undefined {
  const image = imageIn(value)
  return image && showImage(image)
}
