import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CONFIGURATION_FILE, findConfiguration } from '../files/find-configuration.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../files/read-regular-file.ts'
import type { Configuration, ConfigurationProblem } from './configuration.ts'
import {
  type ParsedConfiguration,
  findFileUser,
  findForeignPath,
  parseConfiguration,
} from './parse-configuration.ts'
import { readUserSettings, userSettingsFile } from './user-settings.ts'

/**
 * Reads the given file, or the nearest `toolblocks.toml` in `folder` and the folders above it. A file that another user could have written is
 * refused, unless the user's own settings name its folder.
 */
export async function loadConfiguration(
  folder: string,
  path?: string,
): Promise<ParsedConfiguration> {
  const file = path === undefined ? findConfiguration(folder) : resolve(folder, path)
  if (file === undefined) {
    const message = `no ${CONFIGURATION_FILE} here or in a folder above; "toolblocks init" writes one`
    return broken(folder, message)
  }
  try {
    if (statSync(file).isDirectory()) return broken(file, explainFolder(file))
    const problems = await checkOwner(file, path === undefined ? folder : dirname(file))
    if (problems.length > 0) return { ok: false, problems }
    return await parseConfiguration(readRegularFile(file, MAX_FILE_BYTES), file)
  } catch (error) {
    return broken(file, explainFailure(error))
  }
}

/** Checks whether another user could have written a file. Returns the reason why it must not have an effect. */
export async function checkOwner(
  file: string,
  from: string = dirname(file),
): Promise<readonly ConfigurationProblem[]> {
  const foreign = findForeignPath(file, { from, user: findFileUser(process.env) })
  if (!foreign) return []
  const read = await readUserSettings()
  if (!read.ok) return read.problems
  if (read.settings.safe_folders?.includes(dirname(file))) return []
  const message = `${foreign.path} ${foreign.reason}, so ${file} is not read; if you trust everyone who can write it, add this to ${userSettingsFile()}: safe_folders = [${JSON.stringify(dirname(file))}]`
  return [{ file, key: '', message }]
}

function broken(file: string, message: string): ParsedConfiguration {
  return { ok: false, problems: [{ file, key: '', message }] }
}

function explainFolder(folder: string): string {
  const inside = join(folder, CONFIGURATION_FILE)
  const hint = existsSync(inside) ? `; there is ${inside}` : ''
  return `expected a file, got a folder${hint}`
}

function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) throw error
  switch ('code' in error ? error.code : undefined) {
    case 'ENOENT':
      return 'no such file'
    case 'EACCES':
      return 'you have no permission to read this file'
    default:
      return `cannot be read: ${error.message}`
  }
}

/** Creates the configuration of a folder without a configuration file. */
export function unconfigured(root: string): Configuration {
  // New configuration is written to this file.
  const file = join(root, 'toolblocks.toml')
  return {
    file,
    root,
    tools: {},
    mcp: { servers: {}, tools: {} },
    format: {},
    deduplication: {},
    budget: {},
    tool_search: {},
    agents: {},
    prompts: {},
    locate: ({ path, message }) => ({ file, key: path.join('.'), message }),
  }
}
