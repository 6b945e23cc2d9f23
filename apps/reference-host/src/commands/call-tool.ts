import { formatResult } from '@toolblocks/formatter'
import type { ToolResult } from '@toolblocks/protocol'
import { renderTerminal } from '@toolblocks/renderer'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { readArguments } from '../calls/read-arguments.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { EXIT, exitCodeOf } from '../exit-codes.ts'
import { createPerson } from '../terminal/create-person.ts'
import { showProgress } from '../terminal/show-progress.ts'
import { createTypedAnswers, readTypedAnswers } from '../terminal/typed-answers.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'
import { openTools } from './open-tools.ts'

/** What was typed after `toolblocks call NAME`. */
export interface CallOptions extends SharedOptions {
  arg?: readonly string[]
  json?: string
  answer?: readonly string[]
  /** False with --no-input. */
  input: boolean
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
  const answers = readTypedAnswers(options.answer ?? [])
  if (!answers.ok) return usage(context, answers.message)
  const executor = createToolExecutor({ tools: [entry], approve: async () => ({ action: 'run' }) })
  const progress = showProgress(terminal, terminal.style.plain(name))
  const person = options.input ? createPerson(terminal, configuration.root) : undefined
  const user = createTypedAnswers(answers.answers, person && progress.pausedFor(person))
  const call = { id: 'call-1', name, arguments: typed.values }
  try {
    const callContext = { signal, root: configuration.root, ask: { user } }
    const result = await executor.execute(call, callContext).finally(progress.end)
    show(result, { context, configuration, options })
    return exitCodeOf(result)
  } finally {
    await executor.close()
  }
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
      terminal.sanitize(formatResult(result, { ...format, root, resourceHeader: 'name' })),
    )
  else terminal.print(renderTerminal(result, { colors: terminal.colors, root }))
}

function usage({ terminal }: CommandContext, message: string): number {
  terminal.note(terminal.style.red(`error: ${message}`))
  return EXIT.usage
}
