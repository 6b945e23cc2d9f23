import { Argument, Command } from 'commander'
import type { CommandContext } from '../commands/command-context.ts'
import { EXIT_CODES_HELP } from '../exit-codes.ts'
import { addAgent } from './add-agent.ts'
import { addApprovals } from './add-approvals.ts'
import { addCall } from './add-call.ts'
import { addConversations } from './add-conversations.ts'
import { addDemo } from './add-demo.ts'
import { addImport } from './add-import.ts'
import { addMcp } from './add-mcp.ts'
import { addTools } from './add-tools.ts'
import { addView } from './add-view.ts'
import { addWorkspace } from './add-workspace.ts'
import type { End } from './end.ts'

const HELP = `
Examples:
  toolblocks demo                                see real tools answer
  toolblocks init                                start a toolblocks.toml here
  toolblocks new tool greet                      write a tool that works
  toolblocks call read_files --arg paths=a.txt   call a tool
  toolblocks call read_files --json '{"paths":["a.txt"]}' --output json
  toolblocks mcp add memory npx -y @modelcontextprotocol/server-memory
  toolblocks serve ./greet.py                    any program, for any MCP host

${EXIT_CODES_HELP}
`

/** What a program is told, and whom it tells. */
export interface ProgramOptions {
  version: string
  end: End
}

/**
 * The words of the command line. Each command is loaded when it runs. `call` is described alone where it is the first word:
 * describing all of them takes longer than reading the configuration.
 */
export function createProgram(
  context: CommandContext,
  words: readonly string[],
  options: ProgramOptions,
): Command {
  if (words[0] === 'call') return withCommands([addCall], context, options)
  const program = describeCommands(context, options)
  const { end } = options
  program
    .command('completion')
    .description('print a script that completes the words of toolblocks in your shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { printCompletion } = await import('../commands/complete-words.ts')
      end(printCompletion(describeCommands(context, options), shell))
    })
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (typed: readonly string[]) => {
      const { completeWords } = await import('../commands/complete-words.ts')
      end(await completeWords(describeCommands(context, options), typed, context))
    })
  return program
}

/** All commands but those that complete them, in the order of the help. */
function describeCommands(context: CommandContext, options: ProgramOptions): Command {
  const adders = [
    addTools,
    addCall,
    addAgent,
    addApprovals,
    addConversations,
    addImport,
    addView,
    addMcp,
    addDemo,
    addWorkspace,
  ]
  return withCommands(adders, context, options)
}

type Add = (program: Command, context: CommandContext, end: End) => void

function withCommands(
  adders: readonly Add[],
  context: CommandContext,
  { version, end }: ProgramOptions,
): Command {
  const { terminal } = context
  const program = new Command('toolblocks')
    .description('Calls tools and shows their typed answers, to a person and as a model sees them.')
    .version(version)
    .configureOutput({
      // What it writes repeats what was typed.
      writeOut: (text) => terminal.print(terminal.sanitize(text.replace(/\n$/, ''))),
      writeErr: (text) => terminal.note(terminal.sanitize(text.replace(/\n$/, ''))),
    })
    .showHelpAfterError('(toolblocks --help shows what there is)')
    .exitOverride()
    .addHelpText('after', HELP)
  for (const add of adders) add(program, context, end)
  // Options of a server's command line are not ours. Set last, since commands take it from the program when they are added.
  return program.enablePositionalOptions()
}
