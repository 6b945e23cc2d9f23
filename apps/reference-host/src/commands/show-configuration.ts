import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { joinTerminal } from '@toolblocks/renderer'
import { configurationSchema } from '../configuration/configuration-schema.ts'
import { type ConfigurationProblem, describeProblem } from '../configuration/configuration.ts'
import {
  listSettings,
  type Origin,
  type Setting,
  type SettingsFile,
} from '../configuration/list-settings.ts'
import { findConfiguration, loadConfiguration } from '../configuration/load-configuration.ts'
import { readToml } from '../configuration/read-toml.ts'
import { userSettingsSchema } from '../configuration/user-settings-schema.ts'
import { readUserSettings, userSettingsFile } from '../configuration/user-settings.ts'
import { EXIT } from '../exit-codes.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../files/read-regular-file.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'

/** `toolblocks config show`: every setting that counts in this folder, with where it is written. */
export async function showConfiguration(
  { terminal, folder }: CommandContext,
  { config, output }: SharedOptions,
): Promise<number> {
  const file = config === undefined ? findConfiguration(folder) : resolve(folder, config)
  const [loaded, user] = [
    file === undefined ? undefined : await loadConfiguration(folder, config),
    await readUserSettings(),
  ]
  const problems: readonly ConfigurationProblem[] = [
    ...(loaded?.ok === false ? loaded.problems : []),
    ...(user.ok ? [] : user.problems),
  ]
  for (const problem of problems) terminal.complain('error', describeProblem(problem))
  if (problems.length > 0) return EXIT.usage
  const schemas = { folder: configurationSchema, user: userSettingsSchema }
  const settings = listSettings(open(file), open(userSettingsFile()), schemas)
  if (output === 'json') terminal.printJson(settings)
  else
    terminal.print(
      joinTerminal(
        settings.map((setting) => writeSetting(setting, terminal)),
        '\n',
      ),
    )
  return EXIT.ok
}

function open(file: string | undefined): SettingsFile | undefined {
  if (file === undefined || !existsSync(file)) return undefined
  const read = readToml(readRegularFile(file, MAX_FILE_BYTES))
  return read.ok ? { file, ...read.document } : undefined
}

function writeSetting({ key, value, origin }: Setting, { style }: CommandContext['terminal']) {
  const line = [style.cyan(key), style.plain('='), style.plain(JSON.stringify(value))]
  return joinTerminal([...line, style.dim(`# ${describeOrigin(origin)}`)], ' ')
}

function describeOrigin(origin: Origin): string {
  if (origin === 'default') return 'default'
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`
}
