import { defineDelegateTool } from '@toolblocks/agent'
import { formatCommand } from '@toolblocks/local-executor'
import { type TerminalText, type ToolDefinition } from '@toolblocks/protocol'
import {
  correctSchema,
  findMarkedArguments,
  schemaToParameters,
} from '@toolblocks/protocol/parameters'
import { joinTerminal } from '@toolblocks/renderer'
import { type ToolEntry, createToolExecutor, describeParameter } from '@toolblocks/tool-executor'
import { basename } from 'node:path'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { agentDefinitions } from '../../workspace/configuration/agent-settings.ts'
import type { Configuration } from '../../workspace/configuration/configuration.ts'
import { type OpenOptions, openTools } from '../../workspace/open-tools.ts'
import { findUnknownTools } from '../../workspace/tools/find-unknown-tools.ts'
import { getUnavailableExitCode } from '../../workspace/tools/unavailable-tool.ts'
import { type OpenedPins, showChange } from '../../workspace/tools/pins.ts'
import type { ResolvedTool } from '../../workspace/tools/resolve-tools.ts'

/** `toolblocks tools`: lists the tools with their arguments and policies, and what has changed. */
export async function listTools(context: CommandContext, options: OpenOptions): Promise<number> {
  const { terminal } = context
  const opened = await openTools(context, options)
  if (!opened.ok) return opened.code
  await opened.close()
  const { entries, left, configuration } = opened
  const getCode = ({ tool }: ResolvedTool): readonly string[] =>
    findMarkedArguments(configuration.tools[tool.name]?.parameters ?? {}, 'code')
  const delegate = getDelegate(configuration.agents)
  for (const problem of findUnknownTools(configuration, opened.names))
    terminal.report('warning', problem)
  if (options.output === 'json')
    terminal.printJson([
      ...entries.map((entry) => toJson(entry, getCode(entry))),
      ...delegate.map(({ tool, policy }) => ({ ...tool, source: 'builtin', policy })),
    ])
  else if (entries.length + delegate.length > 0)
    terminal.print(
      joinTerminal(
        [
          ...entries.map((entry) => describeTool(entry, getCode(entry), terminal)),
          ...delegate.map((entry) => describeTool(entry, [], terminal)),
        ],
        '\n\n',
      ),
    )
  else if (left.length === 0)
    terminal.print(terminal.style.plain(`${configuration.file} has no tools.`))
  await reportChanges(opened.pins, terminal)
  for (const { command } of await opened.settled())
    terminal.report(
      'warning',
      `the description of ${formatCommand(command)} has changed since it was read last; the new description is used from now on`,
    )
  return context.signal.aborted ? EXIT.cancelled : getUnavailableExitCode(left)
}

/** Returns the tool that calls agents, if the configuration has agents. */
function getDelegate(agents: Configuration['agents']): readonly Listed[] {
  const tool = defineDelegateTool(agentDefinitions(agents))
  return tool ? [{ tool, policy: 'unattended' }] : []
}

/** The listed properties of a tool. */
interface Listed {
  tool: ToolDefinition
  policy?: ToolEntry['policy']
}

/** Reports changed tools. A tool that is not pinned is then recorded as it is now. */
async function reportChanges(
  { changes, record, file }: OpenedPins,
  terminal: Terminal,
): Promise<void> {
  for (const change of changes) {
    terminal.report(
      'warning',
      `the description of ${change.tool} differs from the one in ${basename(file)}${change.isPinned ? '' : ', which is now updated'}:`,
    )
    terminal.note(showChange(change, terminal))
  }
  const failed = await record(changes.filter(({ isPinned }) => !isPinned).map(({ tool }) => tool))
  if (failed !== undefined) terminal.report('warning', failed)
}

/** Returns the definition as a model receives it, how it runs, and the source of each part. */
function toJson(entry: ResolvedTool, code: readonly string[]): Readonly<Record<string, unknown>> {
  const { policy = 'ask', source, origins } = entry
  const [definition] = createToolExecutor({ tools: [entry], liveSchema: 'flat' }).definitions()
  return { ...definition, source, policy, origins, ...(code.length > 0 && { code }) }
}

function describeTool(
  { tool, policy = 'ask' }: Listed,
  code: readonly string[],
  { style, sanitize }: Terminal,
): TerminalText {
  const summary = tool.summary ?? tool.description
  const lines = [
    joinTerminal([style.bold(tool.name), style.dim(`run: ${policy}`)], '  '),
    ...(summary === undefined ? [] : [style.plain(summary)]),
    ...(code.length === 0 ? [] : [sanitize(`runs code that a model writes: ${code.join(', ')}`)]),
    ...Object.entries(schemaToParameters(correctSchema(tool.inputSchema).schema)).map(
      ([name, parameter]) => {
        const about = parameter.summary ?? parameter.description ?? ''
        return joinTerminal(
          [
            style.cyan(`--arg ${name}=`),
            style.dim(`(${describeParameter(parameter)})`),
            ...(about === '' ? [] : [style.plain(about)]),
          ],
          ' ',
        )
      },
    ),
  ]
  return joinTerminal(lines, '\n  ')
}
