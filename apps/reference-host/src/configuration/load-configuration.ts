import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseConfiguration, type ParsedConfiguration } from './parse-configuration.ts'

/** The name of the configuration file. */
export const CONFIGURATION_FILE = 'toolblocks.toml'

/** Reads the given file, or the nearest `toolblocks.toml` in `folder` and the folders above it. */
export async function loadConfiguration(
  folder: string,
  given?: string,
): Promise<ParsedConfiguration> {
  const file = given === undefined ? findConfiguration(folder) : resolve(folder, given)
  if (file === undefined) {
    const message = `no ${CONFIGURATION_FILE} here or in a folder above; "toolblocks init" writes one`
    return broken(folder, message)
  }
  try {
    if (statSync(file).isDirectory()) return broken(file, explainFolder(file))
    return await parseConfiguration(readFileSync(file, 'utf8'), file)
  } catch (error) {
    return broken(file, explainFailure(error))
  }
}

/** The nearest `toolblocks.toml`, in a folder and those above it. */
export function findConfiguration(folder: string): string | undefined {
  const file = join(folder, CONFIGURATION_FILE)
  if (existsSync(file)) return file
  return dirname(folder) === folder ? undefined : findConfiguration(dirname(folder))
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
  if (!(error instanceof Error && 'code' in error)) throw error
  switch (error.code) {
    case 'ENOENT':
      return 'no such file'
    case 'EACCES':
      return 'this file may not be read'
    default:
      return `cannot be read: ${error.message}`
  }
}
