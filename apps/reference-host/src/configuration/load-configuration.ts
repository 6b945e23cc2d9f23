import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseConfiguration, type ParsedConfiguration } from './parse-configuration.ts'

/** The name of the configuration file. */
export const CONFIGURATION_FILE = 'toolblocks.toml'

/** Reads the given file, or the nearest `toolblocks.toml` in `folder` and the folders above it. */
export function loadConfiguration(folder: string, given?: string): ParsedConfiguration {
  const file = given === undefined ? findConfiguration(folder) : resolve(folder, given)
  if (file === undefined || !existsSync(file)) return missing(folder, given)
  return parseConfiguration(readFileSync(file, 'utf8'), file)
}

function findConfiguration(folder: string): string | undefined {
  const file = join(folder, CONFIGURATION_FILE)
  if (existsSync(file)) return file
  return dirname(folder) === folder ? undefined : findConfiguration(dirname(folder))
}

function missing(folder: string, given: string | undefined): ParsedConfiguration {
  const message =
    given === undefined
      ? `no ${CONFIGURATION_FILE} here or in a folder above; "toolblocks init" writes one`
      : 'no such file'
  return { ok: false, problems: [{ file: resolve(folder, given ?? '.'), key: '', message }] }
}
