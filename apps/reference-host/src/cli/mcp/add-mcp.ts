import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { AddServerOptions } from './add-server.ts'
import type { InspectOptions } from './inspect-server.ts'
import type { ListServersOptions } from './list-servers.ts'
import type { ServeOptions } from '../serve/serve.ts'
import { HOST_NAMES } from '../serve/host-names.ts'
import {
  type ExitCode,
  argumentsOption,
  collect,
  configOption,
  outputOption,
  refuseRenamed,
  trustOption,
} from '../options/command-options.ts'

const SERVE_HELP = `
Without programs: serves every tool of the workspace that may run. If the client
supports questions (elicitation), its user is asked about tools with run = "ask".

With programs: no toolblocks.toml is needed. A program that describes itself is
offered with its parameters, any other with its arguments as a list. Each is
started once to ask for its description.

--install writes the entry that starts the server into the file of an MCP host,
after you have seen the change and agreed to it:

  toolblocks serve ./greet.py --install claude
`

/** Adds the commands `toolblocks mcp …`. */
export function addMcp(program: Command, context: CommandContext, end: ExitCode): void {
  const mcp = program
    .command('mcp')
    .description('list, add and inspect the MCP servers of the workspace')
    .enablePositionalOptions()
  addList(mcp, context, end)
  addAdd(mcp, context, end)
  addInspect(mcp, context, end)
}

function addList(mcp: Command, context: CommandContext, end: ExitCode): void {
  mcp
    .command('list')
    .description('list the servers, what they offer, and their problems')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (given: ListServersOptions) => {
      const { listServers } = await import('./list-servers.ts')
      end(await listServers(context, given))
    })
}

function addAdd(mcp: Command, context: CommandContext, end: ExitCode): void {
  const add = mcp
    .command('add')
    .description(
      'add a server to toolblocks.toml, by its command or with --url; write options before the name',
    )
    .argument('<name>', 'the name of the server, and the prefix of its tools')
    .argument('[command...]', 'the program and its arguments')
    .option('--url <url>', 'the address of a server over Streamable HTTP')
    .addOption(
      new Option('--protocol-version <version>', 'the protocol version of MCP').choices([
        'auto',
        '2025-11-25',
        '2026-07-28',
      ]),
    )
    .addOption(configOption())
    .passThroughOptions()
    .action(async (name: string, words: readonly string[], given: AddServerOptions) => {
      const { addServer } = await import('./add-server.ts')
      end(await addServer(context, [name, ...words], given))
    })
  refuseRenamed(add, '--era <era>', '--protocol-version')
}

function addInspect(mcp: Command, context: CommandContext, end: ExitCode): void {
  const inspect = mcp
    .command('inspect')
    .description('show the messages of a server, and how Toolblocks reads them')
    .argument('<name>', 'the server')
    .argument('[tool]', 'a tool to call, by its name on the server')
    .option('--arg <key=value>', 'one argument; repeat it for more', collect)
    .addOption(argumentsOption())
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (name: string, tool: string | undefined, given: InspectOptions) => {
      const { inspectServer } = await import('./inspect-server.ts')
      end(await inspectServer(context, { name, tool }, given))
    })
  refuseRenamed(inspect, '--json <object>', '--arguments')
}

/** Adds the command `toolblocks serve`. */
export function addServe(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('serve')
    .description('serve tools of the workspace, or of programs, to any MCP host')
    .argument('[programs...]', 'programs or command lines that become tools')
    .option(
      '--http <port>',
      'serve over Streamable HTTP on this port, not over standard input and output',
      readPort,
    )
    .option('--host <address>', 'listen at this address, which other machines may reach')
    .option(
      '--allow-host <name>',
      'another name or https://NAME under which clients connect; repeat it for more',
      collect,
    )
    .option(
      '--token-env <name>',
      'the variable with the token that clients must send (default: a new one, printed)',
    )
    .option('--trust-client', 'run tools with run = "ask" without asking the user')
    .addOption(
      new Option(
        '--install <host>',
        'start no server, and add it to the file of an MCP host',
      ).choices(HOST_NAMES),
    )
    .option(
      '--name <name>',
      'the name of the server in the host (default: from the program or the folder)',
    )
    .option('--yes', 'with --install: ask nothing')
    .addOption(trustOption())
    .addOption(configOption())
    .addHelpText('after', SERVE_HELP)
    .action(async (programs: readonly string[], given: ServeOptions) => {
      const { serveTools } = await import('../serve/serve.ts')
      end(await serveTools(context, programs, given))
    })
}

function readPort(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) < 65_536) return Number(value)
  throw new InvalidArgumentError('expected a port from 0 (any free port) to 65535.')
}
