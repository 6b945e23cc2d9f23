import { existsSync } from 'node:fs'
import { wrapValidator } from '@toolblocks/schema-check/internal/generated'
import { settingsFile } from '../files/own-folders.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../files/read-regular-file.ts'
import { checkRules } from './check-rules.ts'
import { type ConfigurationProblem, describePlace, type Diagnostic } from './configuration.ts'
import { placeProblem } from './place-problem.ts'
import { readToml } from './read-toml.ts'
import { type UserSettings, userSettingsSchema } from './user-settings-schema.ts'
import { validate } from './validate-user-settings.js'

/** The settings, or all problems of their file. */
export type ReadSettings =
  | { ok: true; settings: UserSettings }
  | { ok: false; problems: readonly ConfigurationProblem[] }

/** Returns the path of the user's settings file. It is beside the file of decisions about folders. */
export function userSettingsFile(): string {
  return settingsFile('config.toml')
}

/** Reads the settings of the user. If the file does not exist, nothing is set. */
export async function readUserSettings(file: string = userSettingsFile()): Promise<ReadSettings> {
  if (!existsSync(file)) return { ok: true, settings: {} }
  const read = tryRead(file)
  if (!read.ok) return { ok: false, problems: [{ file, key: '', message: read.message }] }
  const toml = readToml(read.text)
  if (!toml.ok) return { ok: false, problems: [{ file, key: '', ...toml.problem }] }
  const { value, findLine } = toml.document
  const { problems } = check(value)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has an effect only if the schema accepts it
  const settings = value as UserSettings
  const messages: readonly Diagnostic[] =
    problems.length > 0
      ? problems.map((problem) => placeProblem(problem, value, userSettingsSchema))
      : checkRules(settings.approvals)
  if (messages.length === 0) return { ok: true, settings }
  return {
    ok: false,
    problems: messages.map(({ path, message }) => {
      const line = findLine(path)
      return { file, ...(line !== undefined && { line }), key: path.join('.'), message }
    }),
  }
}

/** Returns the file and the line of a rule of the settings, for messages. */
export function placeSettingsRule(index: number): string {
  return placeSetting(['approvals', 'rules', String(index)])
}

/** Finds the line of a key of the settings, for messages. */
export function findSettingLine(
  path: readonly string[],
  file: string = userSettingsFile(),
): number | undefined {
  const read = tryRead(file)
  const toml = read.ok ? readToml(read.text) : undefined
  return toml?.ok ? toml.document.findLine(path) : undefined
}

/** Returns the file and the line of a key of the settings, for messages. */
export function placeSetting(path: readonly string[], file: string = userSettingsFile()): string {
  const line = findSettingLine(path, file)
  return describePlace({ file, ...(line !== undefined && { line }), key: path.join('.') })
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
