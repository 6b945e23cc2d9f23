import { Command, Option } from 'commander'
import { callTool, type CallOptions } from './commands/call-tool.ts'
import type { CommandContext, SharedOptions } from './commands/command-context.ts'
import { initializeWorkspace } from './commands/initialize-workspace.ts'
import { listTools } from './commands/list-tools.ts'
import { runDemo, type DemoOptions } from './commands/run-demo.ts'
import { EXIT_CODES_HELP } from './exit-codes.ts'

const HELP = `
Examples:
  toolblocks demo                                see tools answer, in a temporary workspace
  toolblocks init                                start a toolblocks.toml here
  toolblocks call read_files --arg paths=a.txt   call a tool
  toolblocks call read_files --json '{"paths":["a.txt"]}' --output json

${EXIT_CODES_HELP}
`

/** The words of the command line; `end` gets the exit code of the command that ran. */
export function createProgram(
  context: CommandContext,
  { version, end }: { version: string; end: (code: number) => void },
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
  program
    .command('tools')
    .description('list the tools of the workspace')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (options: SharedOptions) => end(await listTools(context, options)))
  program
    .command('call')
    .description('call one tool and show its answer; typing this is the yes to run it')
    .argument('<name>', 'the tool')
    .option('--arg <key=value>', 'one argument; repeat it for more, or for a list', collect)
    .option('--json <object>', 'all arguments, as a JSON object')
    .option(
      '--answer <id=value>',
      'the answer to a question of the tool; repeat it for more',
      collect,
    )
    .option('--no-input', 'ask nothing; a question without --answer ends the call')
    .option('--model-view', 'show the answer as a model receives it')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (name: string, options: CallOptions) =>
      end(await callTool(context, name, options)),
    )
  program
    .command('demo')
    .description('play a scripted model against real tools, in a temporary workspace')
    .option('--model-view', 'show each answer as a model receives it, too')
    .option('--editor', 'answer forms in your editor ($VISUAL or $EDITOR)')
    .option('--keep', 'keep the workspace, to look around in it')
    .addOption(outputOption())
    .action(async (options: DemoOptions) => end(await runDemo(context, options)))
  program
    .command('init')
    .description('write a toolblocks.toml and a first tool into this folder')
    .action(async () => end(await initializeWorkspace(context)))
  return program
}

function outputOption(): Option {
  return new Option('--output <form>', 'what to print').choices(['text', 'json']).default('text')
}

function configOption(): Option {
  return new Option('--config <file>', 'the configuration (default: toolblocks.toml here or above)')
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
