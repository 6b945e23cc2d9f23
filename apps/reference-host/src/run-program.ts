import { readFileSync } from 'node:fs'
import { Command, CommanderError, Option } from 'commander'
import { callTool, type CallOptions } from './commands/call-tool.ts'
import type { CommandContext, SharedOptions } from './commands/command-context.ts'
import { initializeWorkspace } from './commands/initialize-workspace.ts'
import { listTools } from './commands/list-tools.ts'
import { runDemo, type DemoOptions } from './commands/run-demo.ts'
import { EXIT, EXIT_CODES_HELP } from './exit-codes.ts'

/** Runs the command that the words name, and answers with its exit code. */
export async function runProgram(
  words: readonly string[],
  context: CommandContext,
): Promise<number> {
  let code: number = EXIT.ok
  const program = createProgram(context, (exitCode) => {
    code = exitCode
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  }
}

const HELP = `
Examples:
  toolblocks demo                                   see tools answer, in a temporary workspace
  toolblocks init                                   start a toolblocks.toml here
  toolblocks call read_files --arg paths=a.txt      call a tool
  toolblocks call read_files --arg paths=a.txt --output json

${EXIT_CODES_HELP}
`

function createProgram(context: CommandContext, end: (code: number) => void): Command {
  const program = new Command('toolblocks')
    .description(
      'Calls tools and shows their answers: typed content blocks, for a person and for a model.',
    )
    .version(version())
    .showHelpAfterError('(toolblocks --help shows what there is)')
    .exitOverride()
    .addHelpText('after', HELP)
  const output = (): Option =>
    new Option('--output <form>', 'what to print').choices(['text', 'json']).default('text')
  const config = (): Option =>
    new Option(
      '--config <file>',
      'configuration (default: toolblocks.toml here or in a folder above)',
    )

  program
    .command('tools')
    .description('list the tools of the workspace')
    .addOption(config())
    .addOption(output())
    .action(async (options: SharedOptions) => end(await listTools(context, options)))
  program
    .command('call')
    .description('call one tool and show its answer; to type this is to approve the call')
    .argument('<name>', 'the tool')
    .option('--arg <key=value>', 'one argument; repeat it for more, or for a list', collect, [])
    .option('--json <object>', 'all arguments, as a JSON object')
    .option('--model-view', 'show the answer as a model receives it')
    .addOption(config())
    .addOption(output())
    .action(async (name: string, options: CallOptions) =>
      end(await callTool(context, name, options)),
    )
  program
    .command('demo')
    .description('play a scripted model against real tools, in a temporary workspace')
    .option('--model-view', 'show each answer as a model receives it, too')
    .option('--keep', 'keep the workspace, to look around in it')
    .addOption(output())
    .action(async (options: DemoOptions) => end(await runDemo(context, options)))
  program
    .command('init')
    .description('write a toolblocks.toml and a first tool into this folder')
    .action(async () => end(await initializeWorkspace(context)))
  return program
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const found: unknown =
    typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined
  return String(found)
}
