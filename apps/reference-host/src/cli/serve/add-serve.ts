import { type Command, Option } from 'commander'
import type { CommandContext } from '../../terminal/command-context.ts'
import { HOST_NAMES } from '../hosts/mcp-hosts.ts'
import {
  addRuleOptions,
  type ExitCode,
  collect,
  configOption,
  protocolVersionOption,
  readCount,
  readLimit,
  readPort,
  readSeconds,
  trustOption,
} from '../options/command-options.ts'
import { layOutHelp } from '../options/fit-help.ts'
import { withTelemetry } from '../../process/telemetry/with-telemetry.ts'
import type { ServeCommandOptions } from './serve-options.ts'

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

  toolblocks serve "python3 tools/greet.py" --install claude

An entry that starts the same server directly is replaced, with its variables.
--uninstall after the same words removes the new entry, and puts the earlier one
back.
`

/** Adds the command `toolblocks serve`. */
export function addServe(program: Command, context: CommandContext, end: ExitCode): Command {
  return addRuleOptions(
    program
      .command('serve')
      .enablePositionalOptions()
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
        '--public-url <url>',
        'the address of a proxy, such as https://tools.example.com, under which clients connect and log in',
      )
      .option(
        '--trusted-proxy <network>',
        'an address or a network such as 10.0.0.0/8, whose X-Forwarded-For or Forwarded names the addresses of clients; repeat it for more',
        collect,
      )
      .option(
        '--token-env <name>',
        'the variable with the token that clients must send (default: a new one, printed)',
      )
      .option(
        '--replica-address <url>',
        'serve with others: where processes with the same store reach this one; each answers for all sessions',
      )
      .option(
        '--drain <seconds>',
        'with --http: how long running calls may take to end after SIGTERM (default: 5)',
        readSeconds,
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
      .option(
        '--select <tool=path>',
        'with --server: a part of its results that clients get, such as items/*/name; repeat it for more',
        collect,
      )
      .option(
        '--fix <tool.argument=value>',
        'with --server: a value, as JSON or text, that every call gets and clients do not see; repeat it for more',
        collect,
      )
      .option(
        '--hide <tool.argument>',
        'with --server: an argument that clients do not see and no call has; repeat it for more',
        collect,
      )
      .option('--rename <tool=name>', 'with --server: another name; repeat it for more', collect)
      .option(
        '--describe <tool=text>',
        'with --server: another description; {{description}} in it is the own one; repeat it for more',
        collect,
      )
      .option(
        '--timeout <seconds>',
        'with --server: the time limit of a call (default: 3600)',
        readSeconds,
      )
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
      .option(
        '--results <form>',
        'host: known hosts get results in a form that their models receive completely (the default); as-is: unchanged; or the name of the host',
      )
      .option(
        '--park',
        'questions and approvals also wait in the store, where any person can answer (the default for clients that cannot ask)',
      )
      .option('--no-park', 'a question that the client cannot ask ends its call')
      .option(
        '--answer-within <seconds>',
        'answer calls that take longer with "still running", and keep their results; "never": wait (default: by the host)',
        readLimit,
      ),
  )
    .option(
      '--pages',
      'with --http: people sign in at /pages/, read their conversations, and answer their questions',
    )
    .option(
      '--metrics',
      'with --http: offer metrics for Prometheus at /metrics, behind the same token',
    )
    .addOption(
      new Option('--log <form>', 'write one line about each request on standard error').choices([
        'json',
      ]),
    )
    .option('--trust-client', 'run tools with run = "ask" without asking the user')
    .addOption(
      new Option(
        '--install <host>',
        'start no server, and add it to the file of an MCP host',
      ).choices(HOST_NAMES),
    )
    .addOption(
      new Option(
        '--uninstall <host>',
        'remove what --install wrote for the same words, or for --name',
      ).choices(HOST_NAMES),
    )
    .option(
      '--name <name>',
      'the name of the server in the host (default: from the program or the folder)',
    )
    .option('--yes', 'with --install and --uninstall: ask nothing')
    .addOption(trustOption())
    .addOption(configOption())
    .addHelpText('after', layOutHelp(context.terminal.columns).fit(SERVE_HELP))
    .action(async (programs: readonly string[], options: ServeCommandOptions) => {
      const { serveTools } = await import('./serve.ts')
      const { wantsMetrics } = await import('./wants-metrics.ts')
      const { log } = options
      const metrics = await wantsMetrics(context, programs, options)
      end(
        await withTelemetry(context, { metrics, ...(log && { log }) }, (traced) =>
          serveTools(traced, programs, options),
        ),
      )
    })
}
