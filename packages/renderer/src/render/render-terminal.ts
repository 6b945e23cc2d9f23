import type { ContentBlock, TerminalText, ToolResult } from '@toolblocks/protocol'
import { joinTerminal } from '../compose/join-terminal.ts'
import { createTerminalStyle } from '../compose/terminal-style.ts'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import type { RenderOptions } from './render-options.ts'

/** Renders a whole result for a person at a terminal. */
export function renderTerminal(result: ToolResult, options: RenderOptions = {}): TerminalText {
  const style = createTerminalStyle(options.colors ?? 'none')
  const parts = [
    ...(result.isError ? [style.red(`✗ ${result.metadata?.outcome ?? 'failed'}`)] : []),
    ...result.content.map((block) => renderBlock(block, options)),
  ]
  return parts.length === 0 ? style.dim('(no output)') : joinTerminal(parts, '\n')
}

/** Renders blocks as `renderTerminal` does, without a word on the result they come from. */
export function renderTerminalBlocks(
  blocks: readonly ContentBlock[],
  options: RenderOptions = {},
): TerminalText {
  return joinTerminal(
    blocks.map((block) => renderBlock(block, options)),
    '\n',
  )
}

function renderBlock(block: ContentBlock, options: RenderOptions): TerminalText {
  const style = createTerminalStyle(options.colors ?? 'none')
  const colors = options.colors === 'ansi' ? 'keep' : 'strip'
  switch (block.type) {
    case 'text':
      return sanitizeTerminalText(block.text, { colors })
    case 'resource':
      return joinTerminal(
        [
          style.bold(block.resource.uri),
          sanitizeTerminalText(block.resource.text ?? '', { colors }),
        ],
        '\n',
      )
    case 'image':
    case 'audio':
      return style.dim(`${block.type} ${block.mimeType}`)
    case 'resource_link':
      return style.dim(`link, not read: ${block.uri}`)
    case 'question':
      return style.yellow(`? ${block.question.id}: ${block.question.text}`)
  }
}
