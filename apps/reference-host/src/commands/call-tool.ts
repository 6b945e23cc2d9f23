import { formatResult } from '@toolblocks/formatter'
import type { ToolResult } from '@toolblocks/protocol'
import { renderTerminal, sanitizeTerminalText } from '@toolblocks/renderer'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { readArguments } from '../calls/read-arguments.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { EXIT, exitCodeOf } from '../exit-codes.ts'
import { showProgress } from '../terminal/show-progress.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'
import { openTools } from './open-tools.ts'

/** What was typed after `toolblocks call NAME`. */
export interface CallOptions extends SharedOptions {
  arg: readonly string[]
  json?: string
  modelView?: boolean
}

/** `toolblocks call NAME`: runs one call and shows its result. Whoever typed it has agreed to it. */
export async function callTool(
  context: CommandContext,
  name: string,
  options: CallOptions,
): Promise<number> {
  const { terminal, signal } = context
  const opened = openTools(context, options)
  if (!opened) return EXIT.usage
  const { configuration, entries } = opened
  const entry = entries.find(({ tool }) => tool.name === name)
  if (!entry) {
    const names = entries.map(({ tool }) => tool.name).join(', ')
    return usage(
      context,
      `no tool "${name}" in ${configuration.file}; it names: ${names || 'none'}`,
    )
  }
  const typed = readArguments(options, entry.tool.inputSchema)
  if (!typed.ok) return usage(context, typed.message)
  const executor = createToolExecutor({ tools: [entry], approve: async () => ({ action: 'run' }) })
  const done = showProgress(terminal, name)
  const call = { id: 'call-1', name, arguments: typed.values }
  const result = await executor.execute(call, { signal, root: configuration.root }).finally(done)
  show(result, { context, configuration, options })
  return exitCodeOf(result)
}

function show(
  result: ToolResult,
  {
    context: { terminal },
    configuration,
    options,
  }: { context: CommandContext; configuration: Configuration; options: CallOptions },
): void {
  const { root, format } = configuration
  if (options.output === 'json') terminal.printJson(result)
  else if (options.modelView)
    terminal.print(
      sanitizeTerminalText(formatResult(result, { ...format, root, resourceHeader: 'name' })),
    )
  else terminal.print(renderTerminal(result, { colors: terminal.colors, root }))
}

function usage({ terminal }: CommandContext, message: string): number {
  terminal.note(terminal.style.red(`error: ${message}`))
  return EXIT.usage
}
