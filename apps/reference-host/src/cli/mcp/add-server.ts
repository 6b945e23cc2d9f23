import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { formatCommand } from '@toolblocks/local-executor'
import {
  checkOwner,
  CONFIGURATION_FILE,
  findConfiguration,
} from '../../workspace/configuration/load-configuration.ts'
import { parseConfiguration } from '../../workspace/configuration/parse-configuration.ts'
import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { appendTable } from '../setup/new-tool.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../../workspace/files/read-regular-file.ts'
import { writeInOneStep } from '../../workspace/files/write-together.ts'
import { agreeToWritten } from '../../workspace/open-workspace.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'

/** The options of `toolblocks mcp add`. */
export interface AddServerOptions extends SharedOptions {
  url?: string
  protocolVersion?: 'auto' | '2025-11-25' | '2026-07-28'
}

/** `toolblocks mcp add NAME COMMAND…`: adds a server to the configuration, and keeps the comments of the file. */
export async function addServer(
  context: CommandContext,
  [name, ...words]: readonly [string, ...string[]],
  { url, protocolVersion, config }: AddServerOptions,
): Promise<number> {
  const { terminal, folder, command: own } = context
  const refuse = (message: string): number => {
    terminal.report('error', `${message}; nothing was written`)
    return EXIT.usage
  }
  if ((url === undefined) === (words.length === 0))
    return refuse('expected either the command of the server, or its address with --url')
  if (url !== undefined && !/^(https?:\/\/|\$\{)/.test(url))
    return refuse(
      `--url ${JSON.stringify(url)}: expected an address that begins with https:// or http://`,
    )
  if (name.trim() === '') return refuse('the server needs a name')
  const file =
    config === undefined
      ? (findConfiguration(folder) ?? join(folder, CONFIGURATION_FILE))
      : resolve(folder, config)
  const isThere = existsSync(file)
  const foreign = isThere
    ? await checkOwner(file, config === undefined ? folder : dirname(file))
    : []
  if (foreign.length > 0) return refuse(foreign.map(describeProblem).join('; '))
  const text = isThere ? readRegularFile(file, MAX_FILE_BYTES) : ''
  const before = await parseConfiguration(text, file)
  if (!before.ok) return refuse(before.problems.map(describeProblem).join('; '))
  if (Object.hasOwn(before.configuration.mcp.servers, name))
    return refuse(`${file} has a server ${JSON.stringify(name)} already`)
  const longer = await appendTable(
    text,
    getTable(name, { words, url, protocolVersion }),
    ({ mcp }) => Object.hasOwn(mcp.servers, name),
  )
  if (longer === undefined)
    return refuse(
      `${file} cannot hold more tables of servers: write the servers as [mcp.servers.NAME]`,
    )
  writeInOneStep(file, longer, { mode: isThere ? statSync(file).mode & 0o777 : 0o644 })
  const after = await parseConfiguration(longer, file)
  if (after.ok)
    await agreeToWritten(context.terminal, after.configuration, (part) => part === `server ${name}`)
  const what = url ?? formatCommand(words)
  terminal.print(
    terminal.sanitize(
      `Added ${JSON.stringify(name)} (${what}) to ${file}. Try:\n  ${own} mcp list\n  ${own} tools`,
    ),
  )
  return EXIT.ok
}

function getTable(
  name: string,
  {
    words,
    url,
    protocolVersion,
  }: { words: readonly string[]; url: string | undefined; protocolVersion: string | undefined },
): string {
  const key = /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
  const [command, ...args] = words
  const lines = [
    `[mcp.servers.${key}]`,
    ...(url === undefined ? [] : [`url = ${JSON.stringify(url)}`]),
    ...(command === undefined ? [] : [`command = ${JSON.stringify(command)}`]),
    ...(args.length === 0 ? [] : [`args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`]),
    ...(protocolVersion === undefined
      ? []
      : [`protocol_version = ${JSON.stringify(protocolVersion)}`]),
  ]
  return `${lines.join('\n')}\n`
}
