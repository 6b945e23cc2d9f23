import { writeCommand } from '@toolblocks/local-executor'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine, wrapTerminal } from '@toolblocks/renderer'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { describeStart } from '../../mcp/describe-start.ts'
import { readWrittenServers } from '../../mcp/written-servers.ts'
import { needsDescription } from '../define-tool.ts'
import type { TrustStore } from './trust-store.ts'

/** What a person is asked about. */
export interface TrustQuestion {
  folder: string
  /** What would be started, as one would type it. */
  commands: readonly string[]
}

/** What a folder's configuration would have started without a person naming it. */
export function startedUnasked(configuration: Configuration): TrustQuestion {
  const { root, tools } = configuration
  const described = Object.values(tools).filter(needsDescription)
  const { servers } = readWrittenServers(configuration)
  return {
    folder: root,
    commands: [
      ...new Set([
        ...described.map(({ command }) => writeCommand(command)),
        ...servers.map(describeStart),
      ]),
    ],
  }
}

/** Says whether commands may be started from a folder: known, or asked at the terminal, which is remembered. */
export async function isTrusted(
  { folder, commands }: TrustQuestion,
  { context, store }: { context: CommandContext; store: TrustStore },
): Promise<boolean> {
  const unknown = store.untrusted(folder, commands)
  if (unknown.length === 0) return true
  const { terminal, signal, interrupt } = context
  if (!terminal.isInteractive || signal.aborted) return false
  const { confirmAtTerminal } = await import('@toolblocks/inquiry/terminal')
  const answer = await confirmAtTerminal({
    material: describeCommands({ folder, commands: unknown }, terminal),
    question: terminal.style.plain('Do you trust this folder, and start them?'),
    signal,
    onInterrupt: interrupt,
  })
  const agreed = answer.action === 'accept' && answer.value === true
  if (agreed) remember({ folder, commands: unknown }, { context, store })
  return agreed
}

const INDENT = '  '

/** What is cut can't be agreed to. */
function whole(text: string): TerminalText {
  return sanitizeTerminalLine(text, { longest: Infinity })
}

/** Every command, whole. */
export function describeCommands(
  { folder, commands }: TrustQuestion,
  { style, columns }: Pick<CommandContext['terminal'], 'style' | 'columns'>,
): TerminalText {
  const question = joinTerminal([
    whole(folder),
    style.plain(' would start, to learn what they are:'),
  ])
  const lines = commands.map((command) => joinTerminal([style.plain(INDENT), whole(command)]))
  return joinTerminal(
    [
      wrapTerminal(question, columns),
      ...lines.map((line) => wrapTerminal(line, columns, INDENT.repeat(2))),
    ],
    '\n',
  )
}

/** Remembers a yes; where it cannot be written down, it counts for this run. */
export function remember(
  { folder, commands }: TrustQuestion,
  { context, store }: { context: Pick<CommandContext, 'terminal'>; store: TrustStore },
): void {
  try {
    store.trust(folder, commands)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    context.terminal.complain('warning', `this yes cannot be remembered: ${reason}`)
  }
}
