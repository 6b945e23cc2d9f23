import type { RenderBlocks, RenderLine } from '@toolblocks/protocol'

/** Where one question is asked, and how what comes from outside is written there. */
export interface QuestionTerminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  renderBlocks: RenderBlocks
  renderLine: RenderLine
  /** Told of Ctrl-C, which is no signal while keys are read one by one. */
  onInterrupt: () => void
  /** Closes whatever prompt is open. */
  signal: AbortSignal
  /** `beyond`: what belongs to the question is more than the screen, so that no yes is preselected. */
  view: 'whole' | 'beyond'
}
