import { requireArguments } from '@toolblocks/protocol/internal'
import type { TerminalText } from '@toolblocks/protocol'

/** How a terminal shows pictures. `blocks`: with half blocks in 24-bit colours, for a terminal without graphics. */
export type ImageProtocol = 'kitty' | 'iterm' | 'sixel' | 'blocks'

/** Environment variables of the host. */
type TerminalEnvironment = Readonly<Record<string, string | undefined>>

/**
 * Returns how a terminal shows pictures, from its environment. The terminal is not asked, because a late response would be read as typed input. In
 * tmux and screen, which pass no pictures on, it is `blocks`.
 */
export function findImageProtocol(env: TerminalEnvironment): ImageProtocol {
  requireArguments('findImageProtocol(env)', [env, 'object'])
  const { TERM = '', TERM_PROGRAM = '', KITTY_WINDOW_ID, TMUX, STY } = env
  if (isSet(TMUX) || isSet(STY)) return 'blocks'
  if (isSet(KITTY_WINDOW_ID) || /kitty|ghostty/i.test(TERM) || /^(ghostty)$/i.test(TERM_PROGRAM))
    return 'kitty'
  if (['iTerm.app', 'WezTerm', 'vscode', 'mintty'].includes(TERM_PROGRAM)) return 'iterm'
  if (/sixel|^foot|^mlterm|^contour|^yaft/i.test(TERM)) return 'sixel'
  return 'blocks'
}

/** Whether a terminal is known to support links (OSC 8), from its environment. */
export function supportsHyperlinks(env: TerminalEnvironment): boolean {
  requireArguments('supportsHyperlinks(env)', [env, 'object'])
  const { TERM = '', TERM_PROGRAM = '', VTE_VERSION, WT_SESSION, KONSOLE_VERSION, TMUX, STY } = env
  if (isSet(TMUX) || isSet(STY)) return false
  if (/kitty|ghostty|^foot|^alacritty|^contour/i.test(TERM)) return true
  if (['iTerm.app', 'WezTerm', 'vscode', 'mintty', 'ghostty', 'Hyper'].includes(TERM_PROGRAM))
    return true
  return isSet(WT_SESSION) || isSet(KONSOLE_VERSION) || Number(VTE_VERSION ?? 0) >= 5000
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

/** A picture of a tool. It may not be a picture. */
interface ShownImage {
  /** Its bytes. */
  base64: string
  mimeType: string | undefined
}

/** The maximum `columns` and `rows` of a picture. */
export interface ImageBounds {
  columns: number
  rows: number
}

/** Writes a picture for a terminal; returns `undefined` if it cannot read it. */
export type ImageWriter = (image: ShownImage, room: ImageBounds) => TerminalText | undefined
