import { writeCommand } from '@toolblocks/local-executor'
import { argumentsMarked, type TerminalText } from '@toolblocks/protocol'
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
  /** The tools that run what a model writes, each with the arguments that are run and its command. */
  code: readonly string[]
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
    code: Object.entries(tools).flatMap(([name, { command, parameters = {} }]) => {
      const marked = argumentsMarked(parameters, 'code')
      return marked.length === 0 ? [] : [`${name} (${marked.join(', ')}): ${writeCommand(command)}`]
    }),
  }
}

/** What of it nobody has agreed to yet. */
export function untrustedOf(
  { folder, commands, code }: TrustQuestion,
  store: TrustStore,
): TrustQuestion {
  return {
    folder,
    commands: store.untrusted(folder, commands),
    code: store.untrusted(folder, code),
  }
}

/** Whether a person has something to agree to. */
export function asksNothing({ commands, code }: TrustQuestion): boolean {
  return commands.length + code.length === 0
}

/** Says whether commands may be started from a folder: known, or asked at the terminal, which is remembered. */
export async function isTrusted(
  question: TrustQuestion,
  { context, store }: { context: CommandContext; store: TrustStore },
): Promise<boolean> {
  const unknown = untrustedOf(question, store)
  if (asksNothing(unknown)) return true
  const { terminal, signal, interrupt } = context
  if (!terminal.isInteractive || signal.aborted) return false
  const { confirmAtTerminal } = await import('@toolblocks/inquiry/terminal')
  const answer = await confirmAtTerminal({
    material: describeCommands(unknown, terminal),
    question: terminal.style.plain(
      unknown.commands.length > 0
        ? 'Do you trust this folder, and start them?'
        : 'Do you trust this folder?',
    ),
    signal,
    onInterrupt: interrupt,
  })
  const agreed = answer.action === 'accept' && answer.value === true
  if (agreed) remember(unknown, { context, store })
  return agreed
}

const INDENT = '  '

/** What is cut can't be agreed to. */
function whole(text: string): TerminalText {
  return sanitizeTerminalLine(text, { longest: Infinity })
}

/** Every command and every tool that runs what a model writes, whole. */
export function describeCommands(
  { folder, commands, code }: TrustQuestion,
  { style, columns }: Pick<CommandContext['terminal'], 'style' | 'columns'>,
): TerminalText {
  const list = (what: string, lines: readonly string[]): readonly TerminalText[] =>
    lines.length === 0
      ? []
      : [
          wrapTerminal(joinTerminal([whole(folder), style.plain(what)]), columns),
          ...lines.map((line) =>
            wrapTerminal(
              joinTerminal([style.plain(INDENT), whole(line)]),
              columns,
              INDENT.repeat(2),
            ),
          ),
        ]
  return joinTerminal(
    [
      ...list(' would start, to learn what they are:', commands),
      ...list(' has tools that run what a model writes:', code),
    ],
    '\n',
  )
}

/** Remembers a yes; where it cannot be written down, it counts for this run. */
export function remember(
  { folder, commands, code }: TrustQuestion,
  { context, store }: { context: Pick<CommandContext, 'terminal'>; store: TrustStore },
): void {
  try {
    store.trust(folder, [...commands, ...code])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    context.terminal.complain('warning', `this yes cannot be remembered: ${reason}`)
  }
}
