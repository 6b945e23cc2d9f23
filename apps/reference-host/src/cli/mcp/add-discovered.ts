import { expandVariables } from '@toolblocks/mcp-bridge/internal/names'
import { joinTerminal, sanitizeTerminalLine, wrapTerminal } from '@toolblocks/renderer'
import { confirm } from '../../terminal/ask/confirm.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { orderedJson } from '../../workspace/files/hash-json.ts'
import { type HostName, MCP_HOSTS, getUserPlaces } from '../hosts/mcp-hosts.ts'
import { type AddServerOptions, refuseServer, writeServer } from './add-server.ts'
import { type DiscoveredServer, discoverServers } from '../hosts/discover-servers.ts'
import { describeTable } from './list-discovered.ts'
import {
  type ServerTable,
  findSecretNames,
  isSecret,
  maskNamedSecrets,
} from '../../workspace/servers/mask-server.ts'
import { nameVariable } from '../hosts/read-host-server.ts'

/** `toolblocks mcp add --from HOST NAME`: shows a server of another host, and adds it to the configuration after a yes. */
export async function addDiscovered(
  context: CommandContext,
  [name, ...args]: readonly [string, ...string[]],
  options: AddServerOptions & { from: HostName },
): Promise<number> {
  const { terminal, folder } = context
  const { from, as = name, url, env, protocolVersion, config } = options
  if (args.length > 0 || url !== undefined || env !== undefined)
    return refuseServer(context, '--from cannot be combined with a command, --url or --env')
  const { servers, warnings } = discoverServers(getUserPlaces(), folder, [from])
  for (const warning of warnings) terminal.report('warning', describeProblem(warning))
  const discovered = findServer(servers, name, folder)
  if (discovered === undefined) {
    const names = servers.flatMap(({ places }) => places.map((location) => location.name))
    return refuseServer(
      context,
      `${MCP_HOSTS[from].title} has no server ${JSON.stringify(name)}${formatSuggestions(name, names, 'it has')}`,
    )
  }
  const doubts = findDoubts(discovered, name, servers)
  if (options.yes && doubts.length > 0)
    return refuseServer(context, `${doubts.join('; ')}: add it without --yes, and read what it is`)
  return await writeServer(context, {
    name: as,
    decide: async () =>
      await decide(context, {
        ...options,
        name: as,
        table: discovered.table,
        files: getFiles(discovered, name),
        doubts,
      }),
    protocolVersion,
    config,
  })
}

/** Finds the server that the host starts in this folder: the one of the project before the one of the user, and before those of other projects. */
function findServer(
  servers: readonly DiscoveredServer[],
  name: string,
  folder: string,
): DiscoveredServer | undefined {
  const rank = ({ places }: DiscoveredServer): number =>
    Math.min(
      ...places
        .filter((location) => location.name === name)
        .map(({ project }) => (project === folder ? 0 : project === undefined ? 1 : 2)),
    )
  const [first] = servers
    .filter((server) => rank(server) < Infinity)
    .toSorted((a, b) => rank(a) - rank(b))
  return first
}

/** Returns the files that define a server under a name. */
function getFiles({ places }: DiscoveredServer, name: string): readonly string[] {
  return places.filter((location) => location.name === name).map(({ file }) => file)
}

/** Returns why a name may be another server than the person means: other files define it differently, or it imitates a name. */
function findDoubts(
  discovered: DiscoveredServer,
  name: string,
  servers: readonly DiscoveredServer[],
): readonly string[] {
  const quotedName = JSON.stringify(name)
  const own = getFiles(discovered, name).join(' and ')
  const others = servers
    .filter((server) => server !== discovered)
    .flatMap((server) => getFiles(server, name))
  return [
    ...(others.length === 0
      ? []
      : [`${quotedName} is another server in ${others.join(' and ')} than in ${own}`]),
    ...(isImitation(name)
      ? [
          `${quotedName} has letters of several alphabets or invisible characters, and may imitate a name`,
        ]
      : []),
  ]
}

/** Letters that look like Latin ones belong to these alphabets. */
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

function isImitation(name: string): boolean {
  if (/[\p{Cf}\p{Co}]/u.test(name) || name.normalize('NFKC') !== name) return true
  return /[\p{Script=Latin}\d]/u.test(name) && LOOK_ALIKE.test(name)
}

/** Shows the server and asks. Returns what is written: secret values only if the person agrees to copies of them. */
async function decide(
  context: CommandContext,
  {
    name,
    table,
    files,
    doubts,
    show,
    yes,
    copySecrets,
  }: AddServerOptions & {
    name: string
    table: ServerTable
    files: readonly string[]
    doubts: readonly string[]
  },
): Promise<ServerTable | undefined> {
  const { terminal } = context
  const { style } = terminal
  const masked = maskNamedSecrets(table)
  const isHidden = orderedJson([masked.args, masked.url]) !== orderedJson([table.args, table.url])
  const lines = [
    style.bold(name),
    ...describeTable(show ? table : masked, terminal),
    ...files.map((file) =>
      joinTerminal([style.dim('from:'), sanitizeTerminalLine(file, { maxLength: Infinity })], ' '),
    ),
    ...doubts.map((doubt) =>
      joinTerminal([style.yellow('!'), sanitizeTerminalLine(doubt, { maxLength: Infinity })], ' '),
    ),
    ...(isHidden && !show
      ? [
          terminal.sanitize(
            'The command or the address has secrets, shown as ***. They are copied; --show shows them.',
          ),
        ]
      : []),
  ]
  const material = wrapTerminal(joinTerminal(lines, '\n  '), terminal.columns)
  const secrets = findSecretNames(table)
  const without = replaceSecrets(name, table)
  if (yes) {
    const copied = [
      ...(copySecrets ? secrets : []),
      ...(isHidden ? ['the command or the address'] : []),
    ]
    if (copied.length > 0)
      terminal.report('warning', `secret values were copied: those of ${copied.join(', ')}`)
    return reportVariables(context, copySecrets ? table : without)
  }
  if (!terminal.isInteractive) {
    terminal.note(material)
    terminal.report(
      'error',
      'a server of another host can be added only at a terminal or with --yes; nothing was written',
    )
    return undefined
  }
  const question = style.plain('Add this server? Toolblocks may start or contact it from now on.')
  if (!(await confirm(context, { material, question }))) return undefined
  if (secrets.length === 0 || copySecrets) return reportVariables(context, table)
  const isCopied = await confirm(context, {
    material: terminal.sanitize(`It has the secret values of ${secrets.join(', ')}.`),
    question: style.plain('Copy them into toolblocks.toml? Without a yes, variables replace them.'),
  })
  if (context.signal.aborted) return undefined
  return reportVariables(context, isCopied ? table : without)
}

/** Replaces secret values by variables: those of the environment by their own name, those of headers by the names of the server and the header. */
function replaceSecrets(name: string, { env, headers, ...rest }: ServerTable): ServerTable {
  return {
    ...rest,
    ...(env && {
      env: replaceValues(env, (key) => (/^[A-Za-z_]\w*$/.test(key) ? key : nameVariable(key))),
    }),
    ...(headers && { headers: replaceValues(headers, (key) => nameVariable(`${name}_${key}`)) }),
  }
}

/** Replaces the secrets among values; the scheme of a header stays. */
function replaceValues(
  values: Readonly<Record<string, string>>,
  getName: (key: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const [, scheme = ''] = /^(bearer |basic |token )/i.exec(value) ?? []
      return [key, isSecret(key, value) ? `${scheme}\${${getName(key)}}` : value]
    }),
  )
}

/** Reports which variables of a server have no value yet. */
function reportVariables({ terminal }: CommandContext, table: ServerTable): ServerTable {
  const texts = [
    table.command ?? '',
    table.url ?? '',
    ...(table.args ?? []),
    ...Object.values(table.env ?? {}),
    ...Object.values(table.headers ?? {}),
  ]
  const unset = new Set(texts.flatMap((text) => expandVariables(text, process.env).unset))
  if (unset.size > 0)
    terminal.report('warning', `set before the server is used: ${[...unset].join(', ')}`)
  return table
}
