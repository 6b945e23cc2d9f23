import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The name of the configuration file. */
export const CONFIGURATION_FILE = 'toolblocks.toml'

/** Returns the path of the nearest `toolblocks.toml` in a folder and those above it. */
export function findConfiguration(folder: string): string | undefined {
  const file = join(folder, CONFIGURATION_FILE)
  if (existsSync(file)) return file
  return dirname(folder) === folder ? undefined : findConfiguration(dirname(folder))
}
