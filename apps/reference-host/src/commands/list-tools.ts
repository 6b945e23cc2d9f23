import { writeCommand } from '@toolblocks/local-executor'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import { createToolExecutor, type ToolEntry } from '@toolblocks/tool-executor'
import { EXIT } from '../exit-codes.ts'
import { describeParameters } from '../calls/describe-parameters.ts'
import type { ResolvedTool } from '../tools/resolve-tools.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CommandContext } from './command-context.ts'
import { openTools, type OpenOptions } from './open-tools.ts'

/** `toolblocks tools`: what can be called, with which arguments and under which policy. */
export async function listTools(context: CommandContext, options: OpenOptions): Promise<number> {
  const { terminal } = context
  const opened = await openTools(context, options)
  if (!opened) return EXIT.usage
  const { tools, entries, left, configuration } = opened
  if (options.output === 'json') terminal.printJson(tools.map(toJson))
  else if (entries.length + left.length === 0)
    terminal.print(terminal.style.plain(`${configuration.file} names no tools.`))
  else if (entries.length > 0)
    terminal.print(
      joinTerminal(
        entries.map((entry) => describeTool(entry, terminal)),
        '\n\n',
      ),
    )
  for (const { command } of await opened.settled())
    terminal.complain(
      'warning',
      `${writeCommand(command)} describes itself otherwise than shown: it has changed since it was asked last, and this is its answer from now on`,
    )
  return EXIT.ok
}

/** The definition as a model gets it, where it is run, and who said which part of it. */
function toJson({ entry, origins }: ResolvedTool): Readonly<Record<string, unknown>> {
  const { policy = 'ask', source } = entry
  const [definition] = createToolExecutor({ tools: [entry] }).definitions
  return { ...definition, source, policy, origins }
}

function describeTool({ tool, policy = 'ask' }: ToolEntry, { style }: Terminal): TerminalText {
  const summary = tool.summary ?? tool.description
  const lines = [
    joinTerminal([style.bold(tool.name), style.dim(`run: ${policy}`)], '  '),
    ...(summary === undefined ? [] : [joinTerminal([style.plain(summary)], '')]),
    ...describeParameters(tool.inputSchema).map(({ name, facts, summary: about }) =>
      joinTerminal(
        [
          style.cyan(`--arg ${name}=`),
          style.dim(facts),
          ...(about === '' ? [] : [style.plain(about)]),
        ],
        ' ',
      ),
    ),
  ]
  return joinTerminal(lines, '\n  ')
}
