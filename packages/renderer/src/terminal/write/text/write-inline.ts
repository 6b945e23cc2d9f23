import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../../compose/compose-terminal.ts'
import { linkTerminal } from '../../../compose/link-terminal.ts'
import { paint, type Paint } from '../../../compose/terminal-style.ts'
import type { MarkdownInline } from '../../../show/context/content-readers.ts'
import { toTerminalText } from '../../../terminal-text.ts'
import { withoutColors, type WriteContext } from '../write-context.ts'

const PAINTS: Readonly<Record<'strong' | 'emphasis' | 'deleted', Paint>> = {
  strong: 'bold',
  emphasis: 'italic',
  deleted: 'strikethrough',
}

/** Markdown in a line. The address of a link stands beside its words, which may say anything. */
export function writeInline(
  content: readonly MarkdownInline[],
  context: WriteContext,
): TerminalText {
  return joinTerminal(content.map((one) => writeOne(one, context)))
}

function writeOne(one: MarkdownInline, context: WriteContext): TerminalText {
  const { colors } = context
  switch (one.kind) {
    case 'text':
      return withoutColors(flat(one.text))
    case 'code': {
      const code = withoutColors(flat(one.text))
      return colors === 'ansi' ? paint(code, 'cyan', colors) : inTicks(code)
    }
    case 'break':
      return toTerminalText('\n')
    case 'strong':
    case 'emphasis':
    case 'deleted':
      return paint(writeInline(one.content, context), PAINTS[one.kind], colors)
    case 'link':
      return writeAddressed(
        writeInline(one.content, context),
        textOfInline(one.content),
        one.uri,
        context,
      )
    case 'image': {
      const words = one.text === '' ? 'image' : `image: ${one.text}`
      return writeAddressed(withoutColors(`[${flat(words)}]`), '', one.uri, context)
    }
  }
}

function writeAddressed(
  words: TerminalText,
  said: string,
  uri: string,
  { sanitizeLine, colors, links }: WriteContext,
): TerminalText {
  const shown = paint(words, 'underline', colors)
  const linked = links === 'osc8' ? linkTerminal(shown, uri) : shown
  const isSaid = said === uri || `mailto:${said}` === uri
  if (isSaid || uri === '') return linked
  return joinTerminal([linked, paint(sanitizeLine(` (${uri})`), 'dim', colors)])
}

/** The words of Markdown in a line, without their looks; of links and pictures also where they lead. */
export function textOfInline(content: readonly MarkdownInline[]): string {
  return content.map(textOfOne).join('')
}

function textOfOne(one: MarkdownInline): string {
  switch (one.kind) {
    case 'text':
    case 'code':
      return flat(one.text)
    case 'break':
      return ' '
    case 'strong':
    case 'emphasis':
    case 'deleted':
      return textOfInline(one.content)
    case 'link':
      return withAddress(textOfInline(one.content), one.uri)
    case 'image':
      return withAddress(one.text, one.uri)
  }
}

function withAddress(words: string, uri: string): string {
  return words === uri ? words : `${words} (${uri})`
}

function inTicks(code: TerminalText): TerminalText {
  return toTerminalText(`\`${code}\``)
}

function flat(text: string): string {
  return text.replaceAll('\n', ' ')
}
