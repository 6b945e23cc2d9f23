import { type Command, Option } from 'commander'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import type { AddServerOptions } from './add-server.ts'
import type { InspectOptions } from './inspect-server.ts'
import type { LogInOptions } from './log-in.ts'
import type { ListServersOptions } from './list-servers.ts'
import type { ServeCommandOptions } from '../serve/serve-options.ts'
import { HOST_NAMES } from '../hosts/mcp-hosts.ts'
import {
  type ExitCode,
  argumentsOption,
  collect,
  configOption,
  outputOption,
  readCount,
  readPort,
  readSeconds,
  trustOption,
} from '../options/command-options.ts'
import { layOutHelp } from '../options/fit-help.ts'

const SERVE_HELP = `
Without programs: serves every tool of the workspace that may run. If the client
supports questions (elicitation), its user is asked about tools with run = "ask".

With programs: no toolblocks.toml is needed. A program that describes itself is
offered with its parameters, any other with its arguments as a list. Each is
started once to ask for its description.

With --server: everything that the server offers passes in both directions, to
clients of any version of MCP. Calls are recorded (see "toolblocks view"), their
arguments are checked, and a tool whose definition has changed is not offered
until you accept it:

  toolblocks serve --server https://mcp.example/mcp
  toolblocks serve --server "npx -y some-server" --install claude

--install writes the entry that starts the server into the file of an MCP host,
after you have seen the change and agreed to it:

  toolblocks serve "python3 ./greet.py" --install claude
`

/** Adds the commands `toolblocks mcp …`. */
export function addMcp(program: Command, context: CommandContext, end: ExitCode): void {
  const mcp = program
    .command('mcp')
    .description('list, add, inspect and log in to MCP servers')
    .enablePositionalOptions()
  addList(mcp, context, end)
  addAdd(mcp, context, end)
  addInspect(mcp, context, end)
  addLogins(mcp, context, end)
}

function addList(mcp: Command, context: CommandContext, end: ExitCode): void {
  mcp
    .command('list')
    .description('list the servers, what they offer, and their problems')
    .option(
      '--discover',
      'list the servers that other hosts on this machine have, and start nothing',
    )
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (options: ListServersOptions) => {
      if (options.discover) {
        const { listDiscovered } = await import('./list-discovered.ts')
        return end(listDiscovered(context, options))
      }
      const { listServers } = await import('./list-servers.ts')
      end(await listServers(context, options))
    })
}

function addAdd(mcp: Command, context: CommandContext, end: ExitCode): void {
  const add = mcp
    .command('add')
    .description(
      'add a server to toolblocks.toml, by its command, with --url or from another host; write options before the name, or -- before the command',
    )
    .argument('<name>', 'the name of the server, and the prefix of its tools')
    .argument('[command...]', 'the program and its arguments; a -- may stand before them')
    .option('--url <url>', 'the address of a server over Streamable HTTP')
    .option(
      '--env <name>',
      'a variable that the command receives, NAME or NAME=VALUE; repeat it for more',
      collect,
    )
    .addOption(
      new Option('--from <host>', 'add the server that a host has under this name').choices(
        HOST_NAMES,
      ),
    )
    .option('--as <name>', 'with --from: another name in toolblocks.toml')
    .option('--show', 'with --from: show secret values')
    .option('--copy-secrets', 'with --from: copy secret values, without a question')
    .option('--yes', 'with --from: ask nothing; secret values are replaced by variables')
    .addOption(protocolVersionOption('the protocol version of MCP'))
    .addOption(configOption())
    .passThroughOptions()
    .action(async (name: string, typed: readonly string[]) => {
      const args = readCommand(add, typed)
      const options = add.opts<AddServerOptions>()
      if (options.from !== undefined) {
        const { addDiscovered } = await import('./add-discovered.ts')
        return end(
          await addDiscovered(context, [name, ...args], { ...options, from: options.from }),
        )
      }
      const { addServer } = await import('./add-server.ts')
      return end(await addServer(context, [name, ...args], options))
    })
}

/**
 * Returns the command of a server from the words after its name. Options may stand before it if `--` separates them, as other hosts have it; they are
 * read into `add`.
 */
function readCommand(add: Command, args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  if (end === -1 || !args[0]?.startsWith('-')) return args
  const { operands, unknown } = add.parseOptions(args.slice(0, end))
  const [wrong] = [...unknown, ...operands]
  if (wrong !== undefined)
    add.error(`error: ${JSON.stringify(wrong)} before --: expected an option of mcp add`)
  return args.slice(end + 1)
}

function addInspect(mcp: Command, context: CommandContext, end: ExitCode): void {
  mcp
    .command('inspect')
    .description('show the messages of a server, and how Toolblocks reads them')
    .argument('<name>', 'the server')
    .argument('[tool]', 'a tool to call, by its name on the server')
    .option('--arg <key=value>', 'one argument; repeat it for more', collect)
    .addOption(argumentsOption())
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (name: string, tool: string | undefined, options: InspectOptions) => {
      const { inspectServer } = await import('./inspect-server.ts')
      end(await inspectServer(context, { name, tool }, options))
    })
}

function addLogins(mcp: Command, context: CommandContext, end: ExitCode): void {
  mcp
    .command('login')
    .description('log in to a server over HTTP, with your browser')
    .argument('<name>', 'the server')
    .option('--no-browser', 'only print the address, and read the answer that you paste')
    .option('--scope <scope>', 'another scope to request; repeat it for more', collect)
    .option('--issuer <address>', 'the authorization server that you accept')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (name: string, options: LogInOptions) => {
      const { logIn } = await import('./log-in.ts')
      end(await logIn(context, name, options))
    })
  mcp
    .command('logout')
    .description('log out of a server, and revoke its tokens')
    .argument('<name>', 'the server')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (name: string, options: SharedOptions) => {
      const { logOut } = await import('./log-out.ts')
      end(await logOut(context, name, options))
    })
  mcp
    .command('status')
    .description('list where you are logged in, until when, and where the login is kept')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (options: SharedOptions) => {
      const { listLogins } = await import('./list-logins.ts')
      end(await listLogins(context, options))
    })
}

function protocolVersionOption(description: string): Option {
  const versions = ['auto', '2025-11-25', '2026-07-28']
  return new Option('--protocol-version <version>', description).choices(versions)
}

/** Adds the command `toolblocks serve`. */
export function addServe(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('serve')
    .description('serve tools of the workspace, programs or servers to MCP hosts')
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
    .option(
      '--server <address>',
      'serve an MCP server: its address, or its command line; NAME= may stand before it; repeat it for more',
      collect,
    )
    .addOption(protocolVersionOption('with --server: the version of MCP to speak'))
    .option(
      '--header <text>',
      'with --server: a header "Name: value" for its address, with variables such as ${TOKEN}; repeat it for more',
      collect,
    )
    .option(
      '--env <name>',
      'with --server: a variable that its program receives, NAME or NAME=VALUE; repeat it for more',
      collect,
    )
    .option(
      '--policy <tool=policy>',
      'with --server: ask, unattended (the default), deny or skip for a tool; repeat it for more',
      collect,
    )
    .option('--timeout <seconds>', 'with --server: the time limit of a call', readSeconds)
    .option(
      '--start-wait <seconds>',
      'how long lists wait for servers that are still starting (default: 5)',
      readSeconds,
    )
    .option(
      '--share',
      'with --server and --http: all clients use one connection to each server, which can then ask them nothing (default: only MCP 2026-07-28 over HTTP)',
    )
    .option('--no-share', 'with --server and --http: each client has connections of its own')
    .option('--no-pin', 'with --server: offer tools although their definitions have changed')
    .option('--accept', 'with --server: accept the definitions as they are now')
    .option('--no-record', 'with --server: record no calls')
    .option('--mask-secrets', 'with --server: remove probable secrets from what is recorded')
    .option(
      '--max-result <characters>',
      'cut longer results, or "all": cut none; read_tool_result reads the rest (default with --server: 100000)',
      readCount,
    )
    .option(
      '--defer-above <tools>',
      'with more tools, clients get search_tools and call_tool in their place; "all": never (default: 100)',
      readCount,
    )
    .addOption(
      new Option(
        '--results <form>',
        'host: known hosts get results in a form that their models receive completely (the default); as-is: unchanged',
      ).choices(['host', 'as-is']),
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
    .addHelpText('after', layOutHelp(context.terminal.columns).fit(SERVE_HELP))
    .action(async (programs: readonly string[], options: ServeCommandOptions) => {
      const { serveTools } = await import('../serve/serve.ts')
      end(await serveTools(context, programs, options))
    })
}
