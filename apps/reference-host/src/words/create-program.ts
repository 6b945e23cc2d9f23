import { Argument, Command, Option } from 'commander'
import { addAgent } from './add-agent.ts'
import { addApprovals } from './add-approvals.ts'
import { addMcpCommands } from './add-mcp-commands.ts'
import { configOption, outputOption, readCount } from './command-options.ts'
import type { AcceptOptions } from './commands/tools/accept-tools.ts'
import type { CallOptions } from './commands/call-tool.ts'
import type { CommandContext, SharedOptions } from './commands/command-context.ts'
import type { NewToolOptions } from './commands/new-tool.ts'
import type { OpenOptions } from './commands/tools/open-tools.ts'
import type { DemoOptions } from './commands/run-demo.ts'
import { addConversations } from './conversations/add-conversations.ts'
import { addImport } from './import/add-import.ts'
import type { GalleryOptions } from './gallery/show-gallery.ts'
import type { ViewOptions } from './view/view-conversations.ts'
import { EXIT_CODES_HELP } from './exit-codes.ts'
import { LANGUAGES } from './new-tool/languages.ts'

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
  /** Gets the exit code of the command that ran. */
  end: (code: number) => void
}

/** The words of the command line. Each command is loaded when it runs. */
export function createProgram(context: CommandContext, options: ProgramOptions): Command {
  const program = describeCommands(context, options)
  const { end } = options
  program
    .command('completion')
    .description('print a script that completes the words of toolblocks in your shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { printCompletion } = await import('./commands/complete-words.ts')
      end(printCompletion(describeCommands(context, options), shell))
    })
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { completeWords } = await import('./commands/complete-words.ts')
      end(await completeWords(describeCommands(context, options), words, context))
    })
  return program
}

/** All commands but those that complete them. */
function describeCommands(context: CommandContext, { version, end }: ProgramOptions): Command {
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
  addTools(program, context, end)
  addCall(program, context, end)
  addAgent(program, context, end)
  addApprovals(program, context, end)
  addConversations(program, context, end)
  addImport(program, context, end)
  addView(program, context, end)
  addMcpCommands(program, {
    context,
    end,
    configOption,
    outputOption,
    trustOption,
    collect,
  })
  program
    .command('demo')
    .description('play a scripted model against real tools, in a temporary workspace')
    .option('--model-view', 'show each answer as a model receives it, too')
    .option('--editor', 'answer forms in your editor ($VISUAL or $EDITOR)')
    .option('--keep', 'keep the workspace, to look around in it')
    .addOption(outputOption())
    .action(async (given: DemoOptions) => {
      const { runDemo } = await import('./commands/run-demo.ts')
      end(await runDemo(context, given))
    })
  program
    .command('gallery')
    .description('show every kind of result as this terminal shows it')
    .option('--html <file>', 'write it as a page for a browser instead')
    .option('--force', 'replace a file that exists')
    .action(async (given: GalleryOptions) => {
      const { showGallery } = await import('./gallery/show-gallery.ts')
      end(await showGallery(context, given))
    })
  program
    .command('init')
    .description('write a toolblocks.toml and a first tool into this folder')
    .action(async () => {
      const { initializeWorkspace } = await import('./commands/initialize-workspace.ts')
      end(await initializeWorkspace(context))
    })
  program
    .command('new')
    .description('begin something of your own')
    .command('tool')
    .description('write a tool that works, with its test, and name it in toolblocks.toml')
    .argument('<name>', 'what a model calls it')
    .addOption(
      new Option('--language <language>', 'what it is written in').choices(LANGUAGES).default('ts'),
    )
    .addOption(configOption())
    .action(async (name: string, given: NewToolOptions) => {
      const { writeNewTool } = await import('./commands/new-tool.ts')
      end(await writeNewTool(context, name, given))
    })
  program
    .command('trust')
    .description('show what this folder would start unasked, and let it')
    .addOption(configOption())
    .action(async (given: SharedOptions) => {
      const { trustFolder } = await import('./commands/tools/trust-folder.ts')
      end(await trustFolder(context, given))
    })
  program
    .command('config')
    .description('what a toolblocks.toml may say')
    .command('schema')
    .description('print the JSON Schema of toolblocks.toml, for editors')
    .action(async () => {
      const { printConfigurationSchema } = await import('./commands/print-configuration-schema.ts')
      end(printConfigurationSchema(context))
    })
  return program
}

function addTools(program: Command, context: CommandContext, end: ProgramOptions['end']): void {
  const tools = program
    .command('tools')
    .description('list the tools of the workspace, and what has changed in them')
    .option('--refresh', 'ask every program what it is, whatever is known of it')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (given: OpenOptions) => {
      const { listTools } = await import('./commands/tools/list-tools.ts')
      end(await listTools(context, given))
    })
  tools
    .command('accept')
    .description('show how tools describe themselves by now, and record it in toolblocks.lock.json')
    .argument('[names...]', 'the tools')
    .option('--all', 'every tool of the workspace')
    .action(async (names: readonly string[], _: object, command: Command) => {
      const { acceptTools } = await import('./commands/tools/accept-tools.ts')
      end(await acceptTools(context, names, command.optsWithGlobals<AcceptOptions>()))
    })
}

function addCall(program: Command, context: CommandContext, end: ProgramOptions['end']): void {
  program
    .command('call')
    .description('call one tool and show its answer; typing this is the yes to run it')
    .argument('<name>', 'the tool')
    // The command says itself how arguments are written.
    .allowExcessArguments()
    .option('--arg <key=value>', 'one argument; repeat it for more, or for a list', collect)
    .option('--json <object>', 'all arguments as a JSON object, from @FILE, or from - (stdin)')
    .option(
      '--answer <id=value>',
      'the answer to a question of the tool; repeat it for more',
      collect,
    )
    .option(
      '--action <action>',
      'for a tool that stays alive: apply=TEXT, fetch or abort; repeat it, they are done in order',
      collect,
    )
    .option('--no-input', 'ask nothing; a question without --answer ends the call')
    .option('--model-view', 'show the answer as a model receives it')
    .option(
      '--lines <count>',
      'lines of one block that are shown, or "all" (default: 40 on a terminal, else all)',
      readCount,
    )
    .option('--verbose', 'show what a tool that succeeds printed on standard error, too')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (name: string, given: CallOptions, { args }: Command) => {
      const { callTool } = await import('./commands/call-tool.ts')
      end(await callTool(context, [name, ...args.slice(1)], given))
    })
}

function addView(program: Command, context: CommandContext, end: ProgramOptions['end']): void {
  program
    .command('view')
    .description('look at conversations in your browser, on a page that only this machine can open')
    .argument(
      '[id]',
      'a conversation, or a file or folder of any program’s (default: a list of all)',
    )
    .option('--no-open', 'print the address only')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (id: string | undefined, given: ViewOptions) => {
      const { viewConversations } = await import('./view/view-conversations.ts')
      end(await viewConversations(context, id, given))
    })
}

function trustOption(): Option {
  return new Option('--trust', 'let the folder start what it names, this once')
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
