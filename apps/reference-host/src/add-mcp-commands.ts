import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CommandContext } from './commands/command-context.ts'
import type { ServeOptions } from './commands/serve.ts'

/** What they are added with. */
interface Adding {
  context: CommandContext
  end: (code: number) => void
  configOption: () => Option
  outputOption: () => Option
  trustOption: () => Option
}

const SERVE_HELP = `
Without programs: every tool of the workspace that may run. A client that asks
its user (elicitation) is asked about tools with run = "ask".

With programs, no toolblocks.toml is needed. One that describes itself is
offered with its parameters, any other with its arguments as a list; each is
started once, to ask it. For an MCP host:

  { "mcpServers": { "mine": { "command": "toolblocks",
                              "args": ["serve", "/path/to/program"] } } }
`

/** The words about MCP, each command loaded when it runs. */
export function addMcpCommands(program: Command, adding: Adding): void {
  addServe(program, adding)
}

function addServe(program: Command, { context, end, configOption, trustOption }: Adding): void {
  program
    .command('serve')
    .description('serve the tools of the workspace, or of programs, to any MCP host')
    .argument('[programs...]', 'programs or command lines that become tools')
    .option(
      '--http <port>',
      'over Streamable HTTP on this machine, not standard input and output',
      readPort,
    )
    .option('--token-env <name>', 'the variable with the token that clients must send; for --http')
    .option('--trust-client', 'run tools with run = "ask" as soon as the client calls them')
    .addOption(trustOption())
    .addOption(configOption())
    .addHelpText('after', SERVE_HELP)
    .action(async (programs: readonly string[], given: ServeOptions) => {
      const { serveTools } = await import('./commands/serve.ts')
      end(await serveTools(context, programs, given))
    })
}

function readPort(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) < 65_536) return Number(value)
  throw new InvalidArgumentError('expected a port, from 0 (any that is free) to 65535.')
}
