import { type Command, Option } from 'commander'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import type { AddServerOptions } from './add-server.ts'
import type { InspectOptions } from './inspect-server.ts'
import type { LogInOptions } from './log-in.ts'
import type { ListServersOptions } from './list-servers.ts'
import { HOST_NAMES } from '../hosts/mcp-hosts.ts'
import {
  type ExitCode,
  argumentsOption,
  collect,
  configOption,
  outputOption,
  protocolVersionOption,
  trustOption,
} from '../options/command-options.ts'

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
