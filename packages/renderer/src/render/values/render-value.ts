import {
  type ContentBlock,
  isWellKnownValue,
  type TerminalText,
  type ToolResultValue,
  type WellKnownValue,
} from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { renderText } from '../text/render-text.ts'
import { renderDiff } from './render-diff.ts'
import { renderFileContent } from './render-file-content.ts'
import { renderFileList } from './render-file-list.ts'
import { renderImage } from './render-image.ts'
import { renderJson } from './render-json.ts'
import { renderTable } from './render-table.ts'
import { isToldBy } from './told-by-blocks.ts'

/** A semantic value: its summary, and its data by kind. What a block tells already is not told again. */
export function renderValue(
  value: ToolResultValue,
  content: readonly ContentBlock[],
  context: RenderContext,
): TerminalText {
  const { kind, summary } = value
  const isRaw = value.display?.preferredView === 'raw' || !isWellKnownValue(value)
  const body = isRaw ? renderJson(value.data, context) : renderData(value, content, context)
  const label = summary ?? (isRaw && kind !== 'structured' ? kind : '')
  const isTold = isToldBy(content, label)
  return joinTerminal(
    [isTold ? joinTerminal([]) : context.style.bold(label), body].filter((part) => part !== ''),
    '\n',
  )
}

function renderData(
  value: WellKnownValue,
  content: readonly ContentBlock[],
  context: RenderContext,
): TerminalText {
  switch (value.kind) {
    case 'text':
      return isToldBy(content, value.data.content)
        ? joinTerminal([])
        : renderText(value.data.content, context)
    case 'file_content':
      return renderFileContent(
        value.data,
        isToldBy(content, value.data.content) ? 'name' : 'whole',
        context,
      )
    case 'file_list':
      return renderFileList(value.data, context)
    case 'table':
      return renderTable(value.data, context)
    case 'diff':
      return renderDiff(value.data, context)
    case 'image':
      return renderImage(value, context)
    case 'structured':
      return renderJson(value.data, context)
  }
}
