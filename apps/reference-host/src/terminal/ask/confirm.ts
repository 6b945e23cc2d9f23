import type { TerminalText } from '@toolblocks/protocol'
import type { CommandContext } from '../command-context.ts'

/** Shows material to a person and asks for yes or no. The prompt library is loaded only here. */
export async function confirm(
  { signal, interrupt }: Pick<CommandContext, 'signal' | 'interrupt'>,
  prompt: { material: TerminalText; question: TerminalText },
): Promise<boolean> {
  const { confirmAtTerminal } = await import('@toolblocks/inquiry/terminal')
  const isAgreed = await confirmAtTerminal({ ...prompt, signal, onInterrupt: interrupt })
  return isAgreed === true
}
