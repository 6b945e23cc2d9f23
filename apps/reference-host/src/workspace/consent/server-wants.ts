import { resolve } from 'node:path'
import { resolveProgram } from '@toolblocks/local-executor'
import { formatCommand } from '@toolblocks/local-executor/internal'
import { expandVariables } from '@toolblocks/mcp-bridge/internal/names'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import type { Configuration } from '../configuration/configuration.ts'
import { orderedJson } from '../files/hash-json.ts'
import { describeLoginSettings } from '../servers/describe-login.ts'
import { maskHeader, maskNamedAddress } from '../servers/mask-server.ts'
import { isRuleOfServer, limitedLine, listExceptions } from './rule-wants.ts'
import { describeProgram, maskedLine, quote, type WantLine } from './want-line.ts'
import { findServerVariables, type WrittenServer } from '../servers/written-servers.ts'

/** Returns the lines about a server. */
export function serverLines(
  written: WrittenServer,
  {
    configuration: { root, approvals },
    environment,
  }: {
    configuration: Pick<Configuration, 'root' | 'approvals'>
    environment: Readonly<Record<string, string | undefined>>
  },
): readonly WantLine[] {
  const { name, table, own } = written
  const server = `server ${quote(name)}`
  const variables = findServerVariables(written)
  const exceptions = listExceptions(approvals?.rules, (rule) => isRuleOfServer(rule, name))
  const pinned = own.pin ? ', the descriptions of its tools are pinned' : ''
  const loosens = (text: string): WantLine => ['loosens', `${server}: ${text}`]
  return [
    ...(typeof table['url'] === 'string'
      ? [
          maskedLine('reaches', table['url'], {
            mask: maskNamedAddress,
            describe: (url) => `${server}: ${url}${pinned}`,
          }),
          ...getPairs(table['headers']).map(([header, value]) =>
            maskedLine('sends', value, {
              mask: (text) => maskHeader(header, text),
              describe: (text) => `${server}: the header ${quote(header)}: ${text}`,
            }),
          ),
          ...loginLines(server, own),
        ]
      : [startLine(server, table, { root, environment, pinned })]),
    ...(variables.length > 0
      ? [['reads', `${server}: the variables ${variables.map(quote).join(', ')}`] as const]
      : []),
    ...(own.run === 'unattended'
      ? [limitedLine(`${server}: calls of its tools run without asking you`, { exceptions })]
      : []),
    ...(readsLinks(table) ? [loosens(`${LINKS} ${orderedJson(table['links'])}`)] : []),
    ...(table['trusted'] === true ? [loosens(REPEATED)] : []),
    ...(own.share === true ? [loosens(SHARED)] : []),
  ]
}

const LINKS = 'links in its results are read without asking you, with'
const SHARED = 'all clients of serve share one connection, and so what the server keeps'
const REPEATED =
  'after a lost connection, calls of tools that it marks as read-only or idempotent are repeated'

/** Returns the lines about how a person logs in. A login without settings has no line of its own: the person starts it. */
function loginLines(server: string, { oauth }: WrittenServer['own']): readonly WantLine[] {
  const { settings, hosts } = describeLoginSettings(oauth)
  const written = `${server}: a login with ${orderedJson(oauth ?? {})}`
  const reached = hosts.map(quote).join(', ')
  const inside = `${server}: a login may reach ${reached} inside your network, if the server names it`
  return [
    ...(settings === undefined
      ? []
      : [['sends', `${server}: a login with ${settings}`, undefined, written] as const]),
    ...(hosts.length === 0 ? [] : [['loosens', inside] as const]),
  ]
}

/** Whether links are read without a question. `lazy` reads none. */
function readsLinks({ links }: JsonObject): boolean {
  return isJsonObject(links) && links['mode'] !== undefined && links['mode'] !== 'lazy'
}

/**
 * Returns the lines about the start of a server: the command as written, so that the values of variables stay hidden, and the program that the
 * command finds now.
 */
function startLine(
  server: string,
  table: JsonObject,
  {
    root,
    environment,
    pinned,
  }: { root: string; environment: Readonly<Record<string, string | undefined>>; pinned: string },
): WantLine {
  const { command, args, cwd } = table
  const commandLine = [command, ...(Array.isArray(args) ? args : [])].filter(isText)
  const env = getPairs(table['env'])
  const expand = (text: string): string => expandVariables(text, environment).expanded
  const folder = resolve(root, isText(cwd) ? expand(cwd) : '.')
  const path = env.find(([variable]) => variable === 'PATH')?.[1]
  const program = resolveProgram(commandLine.slice(0, 1).map(expand), {
    root: folder,
    environment: path === undefined ? environment : { ...environment, PATH: expand(path) },
  })
  const started = [
    `${server}: ${formatCommand(commandLine)} ${describeProgram(program)}`,
    ...(isText(cwd) ? [`in ${quote(cwd)}`] : []),
    ...env.map(([variable, value]) => `${quote(variable)} is ${quote(value)}`),
  ]
  return ['starts', `${started.join(', ')}${pinned}`, program]
}

function getPairs(values: unknown): readonly (readonly [name: string, value: string])[] {
  if (!isJsonObject(values)) return []
  return Object.entries(values).map(([name, value]) => [name, String(value)])
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
