import type { TerminalText } from '@toolblocks/protocol'
import type { CommandContext } from '../command-context.ts'

/** Shows a person something and has them agree to it, or not. What asks is loaded where somebody is asked. */
export async function confirm(
  { signal, interrupt }: Pick<CommandContext, 'signal' | 'interrupt'>,
  shown: { material: TerminalText; question: TerminalText },
): Promise<boolean> {
  const { confirmAtTerminal } = await import('@toolblocks/inquiry/terminal')
  const isAgreed = await confirmAtTerminal({ ...shown, signal, onInterrupt: interrupt })
  return isAgreed === true
}
