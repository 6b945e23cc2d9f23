import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { findScript } from './name-program.ts'

/** What an MCP host needs to start a server. */
export interface HostEntry {
  /** What the host calls the server. */
  name: string
  /** An absolute path: hosts that are started from a desktop have another PATH than a terminal. */
  command: string
  args: readonly string[]
}

/** What is served, as it was typed. */
export interface ServedAs {
  programs: readonly string[]
  /** The configuration, where no programs were named. */
  configuration?: string | undefined
  trustClient?: boolean | undefined
  folder: string
}

/** The entry with which a host starts this very program, whatever folder the host works in. */
export function makeHostEntry(
  name: string,
  { programs, configuration, trustClient, folder }: ServedAs,
  { execPath, program }: { execPath: string; program: string },
): HostEntry {
  const served =
    programs.length > 0
      ? programs.map((each) => withWholePath(each, folder))
      : ['--config', configuration ?? resolve(folder, 'toolblocks.toml')]
  return {
    name,
    command: execPath,
    args: [realpathSync(program), 'serve', ...(trustClient ? ['--trust-client'] : []), ...served],
  }
}

/** The file that a command line runs, by its whole path. */
function withWholePath(line: string, folder: string): string {
  if (findScript([line], folder) !== undefined) return resolve(folder, line)
  const script = findScript(line.trim().split(/\s+/), folder)
  if (script === undefined || script.startsWith('/')) return line
  const at = line.indexOf(script)
  const whole = resolve(folder, script)
  const word = /^[\w./+:@%-]+$/.test(whole) ? whole : `'${whole.replaceAll("'", String.raw`'\''`)}'`
  return line.slice(0, at) + word + line.slice(at + script.length)
}
