import { defineDelegateTool } from '@toolblocks/agent'
import { formatCommand } from '@toolblocks/local-executor/internal'
import { type TerminalText, type ToolDefinition, schemaToParameters } from '@toolblocks/protocol'
import { correctSchema, findMarkedArguments, quoteName } from '@toolblocks/protocol/internal'
import { joinTerminal } from '@toolblocks/renderer'
import { type ToolEntry, createToolExecutor } from '@toolblocks/tool-executor'
import { describeParameter } from '@toolblocks/tool-executor/internal'
import { basename } from 'node:path'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { agentDefinitions } from '../../workspace/configuration/agent-settings.ts'
import { didYouMean } from '../../terminal/did-you-mean.ts'
import type { Configuration } from '../../workspace/configuration/configuration.ts'
import type { ToolConfiguration } from '../../workspace/configuration/tool-schema.ts'
import { type OpenOptions, openTools } from '../../workspace/open-tools.ts'
import { isUnasked, type ToolOrigin } from '../../workspace/tools/define-tool.ts'
import { findUnknownTools } from '../../workspace/tools/find-unknown-tools.ts'
import { getUnavailableExitCode } from '../../workspace/tools/unavailable-tool.ts'
import { type OpenedPins, showChange } from '../../workspace/consent/pins.ts'
import type { ResolvedTool } from '../../workspace/tools/resolve-tools.ts'

/** `toolblocks tools [NAME]`: lists the tools with their arguments and policies, and what has changed. For one tool, each part has its source. */
export async function listTools(
  context: CommandContext,
  wanted: string | undefined,
  options: OpenOptions,
): Promise<number> {
  const { terminal } = context
  const opened = await openTools(context, options)
  if (!opened.ok) return opened.code
  await opened.close()
  const { left, configuration } = opened
  const entries = opened.entries.filter(({ tool }) => tool.name === (wanted ?? tool.name))
  if (wanted !== undefined && entries.length === 0) {
    await opened.settled()
    // Why it cannot be called is reported already.
    if (left.some(({ tool }) => tool === wanted)) return getUnavailableExitCode(left)
    terminal.report('error', `no tool ${quoteName(wanted)}${didYouMean(wanted, opened.names)}`)
    return EXIT.usage
  }
  const getCode = ({ tool }: ResolvedTool): readonly string[] =>
    findMarkedArguments(configuration.tools[tool.name]?.parameters ?? {}, 'code')
  const delegate = wanted === undefined ? getDelegate(configuration.agents) : []
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
          ...entries.map((entry) =>
            joinTerminal(
              [
                describeTool(entry, getCode(entry), terminal),
                ...(wanted === undefined
                  ? []
                  : describeOrigins(entry, configuration.tools[wanted], terminal)),
              ],
              '\n  ',
            ),
          ),
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

const WHO: Readonly<Record<ToolOrigin, string>> = {
  configuration: 'the configuration',
  executable: 'the program',
  server: 'the server',
  both: 'the configuration, with the text of the tool',
}

/** Says where each part of a definition comes from: for each parameter that the configuration changes, its fields. */
function describeOrigins(
  { tool, origins }: ResolvedTool,
  table: ToolConfiguration | undefined,
  { style, sanitize }: Terminal,
): readonly TerminalText[] {
  const { inputSchema = 'configuration', ...texts } = origins
  const describer = table?.source.startsWith('mcp.') ? 'server' : 'executable'
  const lines = Object.entries(texts).map(([part, origin]) => `${part}: ${WHO[origin]}`)
  const unasked =
    describer === 'executable' && table && isUnasked(table)
      ? '; the program was not asked for its description: describe = true asks it'
      : ''
  if (inputSchema !== 'both') lines.push(`arguments: ${WHO[inputSchema]}${unasked}`)
  else
    for (const [name, parameter] of Object.entries(schemaToParameters(tool.inputSchema))) {
      const { required: _, ...own } = table?.parameters?.[name] ?? {}
      const set = [
        ...Object.keys(own),
        ...(table?.parameters?.[name]?.required ? ['required'] : []),
      ]
      const isSaid = (field: string): boolean => set.includes(field) || isText(field, set)
      const rest = Object.keys(parameter).filter((field) => field !== 'required' && !isSaid(field))
      const parts = [
        ...(set.length === 0 ? [] : [`${set.join(', ')}: ${WHO.configuration}`]),
        ...(rest.length === 0 ? [] : [`${rest.join(', ')}: ${WHO[describer]}`]),
      ]
      lines.push(`--arg ${name}=: ${parts.join('; ')}`)
    }
  return lines.map((line) => style.dim(sanitize(`from ${line}`)))
}

/** Whether a text of a parameter was replaced: a summary is used instead of a description. */
function isText(field: string, set: readonly string[]): boolean {
  const texts = ['summary', 'description']
  return texts.includes(field) && set.some((each) => texts.includes(each))
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
