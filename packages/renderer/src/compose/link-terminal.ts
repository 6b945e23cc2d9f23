import type { TerminalText } from '@toolblocks/protocol'
import { toTerminalText } from '../terminal-text.ts'
import { END_OF_LINK } from './own-sequences.ts'

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])
/** Terminals cut or ignore longer ones. */
const LONGEST = 2000

/**
 * Makes text a link (OSC 8) where it can be one: to an `http`, `https` or `mailto` address. Else it stays as it is. A person
 * sees the text only, so that the address must stand beside it.
 */
export function linkTerminal(text: TerminalText, uri: string): TerminalText {
  const target = text === '' ? undefined : targetOf(uri)
  if (target === undefined) return text
  return toTerminalText(`\u001B]8;;${target}\u001B\\${text}${END_OF_LINK}`)
}

/** The address in printable ASCII. */
function targetOf(uri: string): string | undefined {
  if (uri.length > LONGEST || !URL.canParse(uri)) return undefined
  const { protocol, href } = new URL(uri)
  return SCHEMES.has(protocol) && /^[!-~]+$/.test(href) && href.length <= LONGEST ? href : undefined
}
