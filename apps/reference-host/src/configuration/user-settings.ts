import { existsSync } from 'node:fs'
import type { JsonObject } from '@toolblocks/protocol'
import { placeProblem } from './place-problem.ts'
import { modelSchema } from './model-schema.ts'
import type { ConfigurationProblem, ModelConfiguration } from './configuration.ts'
import { readToml } from './read-toml.ts'
import { settingsFile } from '../files/own-folders.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../files/read-regular-file.ts'

/** What a user has set for every folder. A folder cannot set any of it. */
interface UserSettings {
  /** Asked where the configuration of a folder has no `[model]`. */
  model?: ModelConfiguration
  /** Folders whose configuration is read although somebody else could have written it. */
  safe_folders?: readonly string[]
}

/** The shape of the user's `config.toml`. */
const userSettingsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'config.toml',
  type: 'object',
  properties: {
    model: modelSchema,
    safe_folders: {
      type: 'array',
      items: { type: 'string', pattern: '^([A-Za-z]:)?[/\\\\]' },
      description:
        'Absolute paths of folders whose `toolblocks.toml` is read although it, or a folder above it, belongs to another user or may be written by everybody.',
      default: [],
      examples: [['/srv/shared/project']],
    },
  },
  additionalProperties: false,
} satisfies JsonObject

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
  const { value, lineOf } = toml.document
  // Loaded where a file of settings exists: most runs have none.
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(userSettingsSchema)
  const problems = compiled.ok ? compiled.check(value).problems : compiled.problems
  if (problems.length === 0) return { ok: true, settings: value }
  return {
    ok: false,
    problems: problems.map((problem) => {
      const { path, message } = placeProblem(problem, value, userSettingsSchema)
      const line = lineOf(path)
      return { file, ...(line !== undefined && { line }), key: path.join('.'), message }
    }),
  }
}

function tryRead(file: string): { ok: true; text: string } | { ok: false; message: string } {
  try {
    return { ok: true, text: readRegularFile(file, MAX_FILE_BYTES) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ok: false, message: `cannot be read: ${error.message}` }
  }
}
