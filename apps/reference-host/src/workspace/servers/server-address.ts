import { formatCommand } from '@toolblocks/local-executor/internal'
import { basename, dirname, resolve, sep } from 'node:path'
import { split } from 'shlex'
import { findScript, nameProgram, resolveWords } from './command-words.ts'
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
  if (/^https?:\/\//i.test(address)) return { ok: true, table: { url: address } }
  const expected = 'expected an address such as https://host/mcp, or a command line'
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(address) ?? []
  if (scheme !== undefined) {
    const message = `--server ${JSON.stringify(address)}: an address begins with https:// or http://, got ${scheme}://`
    return { ok: false, message }
  }
  try {
    const [command, ...args] = split(address)
    if (command !== undefined) return { ok: true, table: { command, args } }
    return { ok: false, message: `--server ${JSON.stringify(address)}: ${expected}` }
  } catch {
    const message = `--server ${JSON.stringify(address)}: a quote is not closed; ${expected}`
    return { ok: false, message }
  }
}

/** `https://mcp.example/mcp` is `mcp_example`, `npx -y @scope/server-files .` is `server_files`, `node /apps/notes/dist/index.js` is `notes`. */
export function nameServer(address: string, folder: string): string {
  const url = URL.parse(address)
  if (url && /^https?:$/.test(url.protocol)) return url.hostname.replaceAll(/[^A-Za-z0-9]+/g, '_')
  const args = split(address)
  const starter = /^(?:npx|bunx|uvx|pnpm|dlx)$/
  const named = args.find((word, index) => index > 0 && !/^(?:-|dlx$|exec$|run$)/.test(word))
  return starter.test(args[0] ?? '') && named !== undefined
    ? nameProgram(named.replace(/^.*\//, '').replace(/@[^@]*$/, ''), folder).replaceAll('-', '_')
    : (nameByFolder(args, folder) ?? nameProgram(address, folder))
}

/** Names of files and folders that are the same for many servers. */
const COMMON_FILE = /^(?:__main__|app|cli|index|main|mod|run|server|start)\.\w+$/
const COMMON_FOLDERS = new Set(['bin', 'build', 'dist', 'lib', 'out', 'src'])

/** Returns a name from the folder of a script whose own name says nothing. */
function nameByFolder(args: readonly string[], folder: string): string | undefined {
  const script = findScript(args, folder)
  if (script === undefined || !COMMON_FILE.test(basename(script))) return undefined
  const parents = dirname(resolve(folder, script)).split(sep)
  const own = parents.findLast((name) => !COMMON_FOLDERS.has(name))
  return own === undefined || own === '' ? undefined : nameProgram(own, folder)
}
