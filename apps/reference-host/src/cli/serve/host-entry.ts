import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { findScript } from '../../workspace/servers/command-words.ts'
import type { HostEntry } from '../hosts/host-file.ts'

/** The served programs or configuration, as the person typed them. */
interface ServedAs {
  programs: readonly string[]
  /** The words that name servers; empty: programs or a configuration are served. */
  serverArgs: readonly string[]
  /** The words with the rules. */
  ruleArgs?: readonly string[]
  /** The configuration, if no programs were named. */
  configuration?: string | undefined
  trustClient?: boolean | undefined
  results?: string | undefined
  park?: boolean | undefined
  answerWithin?: number | undefined
  log?: string | undefined
  folder: string
}

/** Creates the entry with which a host starts this program. It does not depend on the folder of the host. */
export function makeHostEntry(
  name: string,
  {
    programs,
    serverArgs,
    ruleArgs = [],
    configuration,
    trustClient,
    results,
    park,
    answerWithin,
    log,
    folder,
  }: ServedAs,
  { execPath, program }: { execPath: string; program: string },
): HostEntry {
  const served =
    serverArgs.length > 0
      ? serverArgs
      : programs.length > 0
        ? programs.map((each) => withWholePath(each, folder))
        : ['--config', configuration ?? resolve(folder, 'toolblocks.toml')]
  return {
    name,
    command: execPath,
    args: [
      realpathSync(program),
      'serve',
      ...(trustClient ? ['--trust-client'] : []),
      ...(results === undefined ? [] : ['--results', results]),
      ...(park === undefined ? [] : [park ? '--park' : '--no-park']),
      ...(answerWithin === undefined ? [] : ['--answer-within', formatLimit(answerWithin)]),
      ...(log === undefined ? [] : ['--log', log]),
      ...ruleArgs,
      ...served,
    ],
  }
}

function formatLimit(seconds: number): string {
  return seconds === Infinity ? 'never' : String(seconds)
}

/** Replaces the file of a command line by its absolute path. */
function withWholePath(line: string, folder: string): string {
  if (findScript([line], folder) !== undefined) return resolve(folder, line)
  const script = findScript(line.trim().split(/\s+/), folder)
  if (script === undefined || script.startsWith('/')) return line
  const index = line.indexOf(script)
  const whole = resolve(folder, script)
  const word = /^[\w./+:@%-]+$/.test(whole) ? whole : `'${whole.replaceAll("'", String.raw`'\''`)}'`
  return line.slice(0, index) + word + line.slice(index + script.length)
}
