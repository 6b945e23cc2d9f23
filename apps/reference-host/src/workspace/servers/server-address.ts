import { formatCommand } from '@toolblocks/local-executor/internal'
import { split } from 'shlex'
import { resolveWords } from './command-words.ts'
import type { ServerTable } from './mask-server.ts'

/** Returns the program or the address that a value of `--server` names; `undefined` if it names neither. */
export function readServerAddress(text: string): ServerTable | undefined {
  const { table } = readTransport(splitName(text).address)
  if (!table || 'url' in table) return table
  return { ...table, args: [...table.args] }
}

/** Returns the same server as an option for a command that is started in any folder. */
export function toAbsoluteServer(text: string, folder: string): string {
  const { name, address } = splitName(text)
  const { table } = readTransport(address)
  if (!table || 'url' in table) return text
  const commandLine = [table.command, ...table.args]
  const whole = resolveWords(commandLine, folder)
  if (whole.every((word, index) => word === commandLine[index])) return text
  return `${name === undefined ? '' : `${name}=`}${formatCommand(whole)}`
}

/** Splits `NAME=ADDRESS`. */
export function splitName(text: string): { name?: string; address: string } {
  const { name, address } = /^(?<name>[\w-]+)=(?<address>.*)$/s.exec(text)?.groups ?? {}
  return name === undefined || address === undefined ? { address: text } : { name, address }
}

/** Reads an address or a command line. */
export function readTransport(
  address: string,
):
  | { ok: true; table: { url: string } | { command: string; args: readonly string[] } }
  | { ok: false; message: string; table?: undefined } {
  if (/^https?:\/\//.test(address)) return { ok: true, table: { url: address } }
  const expected = 'expected an address such as https://host/mcp, or a command line'
  try {
    const [command, ...args] = split(address)
    if (command !== undefined) return { ok: true, table: { command, args } }
    return { ok: false, message: `--server ${JSON.stringify(address)}: ${expected}` }
  } catch {
    const message = `--server ${JSON.stringify(address)}: a quote is not closed; ${expected}`
    return { ok: false, message }
  }
}
