import type { RenderBlocks, RenderLine } from '@toolblocks/protocol'

/** Where one question is asked, and how what comes from outside is written there. */
export interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  renderBlocks: RenderBlocks
  renderLine: RenderLine
  /** Closes whatever prompt is open. */
  signal: AbortSignal
}
