import { existsSync } from 'node:fs'
import { wrapValidator } from '@toolblocks/schema-check/generated'
import { settingsFile } from '../files/own-folders.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../files/read-regular-file.ts'
import type { Prices } from '@toolblocks/viewer/reading'
import type { ConfigurationProblem, ModelConfiguration } from './configuration.ts'
import { placeProblem } from './place-problem.ts'
import { readToml } from './read-toml.ts'
import { userSettingsSchema } from './user-settings-schema.ts'
import { validate } from './validate-user-settings.js'

/** What a user has set for every folder. A folder cannot set any of it. */
export interface UserSettings {
  /** Asked where the configuration of a folder has no `[model]`. */
  model?: ModelConfiguration
  /** Where conversations are kept, where the configuration of a folder has no `[store]`. */
  store?: { url: string }
  /** How pages are coloured. Default: `auto`, as the browser wants it. */
  theme?: 'auto' | 'light' | 'dark'
  /** What models cost, by their names; `*` stands for any characters. */
  prices?: Prices
  /** Folders whose configuration is read although somebody else could have written it. */
  safe_folders?: readonly string[]
}

/** The settings, or everything that is wrong with their file. */
export type ReadSettings =
  | { ok: true; settings: UserSettings }
  | { ok: false; problems: readonly ConfigurationProblem[] }

/** The file of the user's settings, beside what they have agreed to. */
export function userSettingsFile(): string {
  return settingsFile('config.toml')
}

/** Reads the settings of the user; a file that does not exist sets nothing. */
export async function readUserSettings(file: string = userSettingsFile()): Promise<ReadSettings> {
  if (!existsSync(file)) return { ok: true, settings: {} }
  const read = tryRead(file)
  if (!read.ok) return { ok: false, problems: [{ file, key: '', message: read.message }] }
  const toml = readToml(read.text)
  if (!toml.ok) {
    const { line, message } = toml
    return {
      ok: false,
      problems: [{ file, key: '', ...(line !== undefined && { line }), message }],
    }
  }
  const { value, findLine } = toml.document
  const { problems } = check(value)
  if (problems.length === 0) return { ok: true, settings: value }
  return {
    ok: false,
    problems: problems.map((problem) => {
      const { path, message } = placeProblem(problem, value, userSettingsSchema)
      const line = findLine(path)
      return { file, ...(line !== undefined && { line }), key: path.join('.'), message }
    }),
  }
}

const check = wrapValidator(validate)

function tryRead(file: string): { ok: true; text: string } | { ok: false; message: string } {
  try {
    return { ok: true, text: readRegularFile(file, MAX_FILE_BYTES) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ok: false, message: `cannot be read: ${error.message}` }
  }
}
