import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { CommandContext } from '../../commands/command-context.ts'
import type { TrustStore } from './trust-store.ts'

/** How a command was told that a folder is trusted. */
export interface TrustOptions {
  /** `--trust`, or TOOLBLOCKS_TRUST=1: for this one run. */
  trust?: boolean
}

/** What a person is asked about. */
export interface TrustQuestion {
  folder: string
  /** What would be started, as one would type it. */
  commands: readonly string[]
}

/** Says whether commands may be started from a folder: told so, known, or asked at the terminal, which is remembered. */
export async function isTrusted(
  { folder, commands }: TrustQuestion,
  { trust = false }: TrustOptions,
  { context, store }: { context: CommandContext; store: TrustStore },
): Promise<boolean> {
  const unknown = store.untrusted(folder, commands)
  if (trust || unknown.length === 0) return true
  const { terminal, signal, interrupt } = context
  if (!terminal.isInteractive) return false
  const { confirmAtTerminal } = await import('@toolblocks/inquiry/terminal')
  const answer = await confirmAtTerminal({
    material: describeCommands(folder, unknown, terminal.style),
    question: sanitizeTerminalLine('Do you trust this folder, and start them?'),
    signal,
    onInterrupt: interrupt,
  })
  const agreed = answer.action === 'accept' && answer.value === true
  if (agreed) store.trust(folder, unknown)
  return agreed
}

function describeCommands(
  folder: string,
  commands: readonly string[],
  style: CommandContext['terminal']['style'],
): TerminalText {
  const lines = [
    style.bold(`${folder} names programs that are started to learn what they do:`),
    ...commands.map((command) =>
      joinTerminal([style.plain('  '), sanitizeTerminalLine(command, { longest: Infinity })]),
    ),
  ]
  return joinTerminal(lines, '\n')
}
