import type { ToolResultValue } from '@toolblocks/protocol'
import { showCode } from '../../blocks/show-code.ts'
import type { ValueContext } from '../../context/show-context.ts'
import type { ShownPart } from '../../shown-part.ts'
import { field } from './data-fields.ts'

/** Text as it stands, as Markdown, or as code in its language. */
export function showText(
  text: string,
  view: 'text' | 'markdown' | 'code',
  { data, mimeType, display }: Pick<ToolResultValue, 'data' | 'mimeType' | 'display'>,
  context: Pick<ValueContext, 'cut' | 'readers'>,
): ShownPart {
  switch (view) {
    case 'text':
      return { kind: 'text', ...context.cut(text) }
    case 'markdown':
      return showMarkdown(text, context)
    case 'code': {
      const path = field(data, 'path')
      const language = display?.language
      return showCode(text, context, {
        mimeType,
        language,
        path: typeof path === 'string' ? path : undefined,
      })
    }
  }
}

/** Where nothing reads Markdown, it is text. */
function showMarkdown(
  text: string,
  { cut, readers }: Pick<ValueContext, 'cut' | 'readers'>,
): ShownPart {
  const shown = cut(text)
  const blocks = readers?.readMarkdown(shown.first)
  const end = shown.last === '' ? [] : readers?.readMarkdown(shown.last)
  if (!blocks || !end) return { kind: 'text', ...shown }
  if (end.length === 0) return { kind: 'markdown', blocks, left: shown.left }
  return {
    kind: 'group',
    parts: [
      { kind: 'markdown', blocks, left: shown.left },
      { kind: 'markdown', blocks: end, left: 0 },
    ],
  }
}
