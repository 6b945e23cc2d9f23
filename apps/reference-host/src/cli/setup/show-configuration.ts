import { joinTerminal } from '@toolblocks/renderer'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { configurationSchema } from '../../workspace/configuration/configuration-schema.ts'
import {
  type ConfigurationProblem,
  describeProblem,
} from '../../workspace/configuration/configuration.ts'
import {
  type Origin,
  type Setting,
  type SettingsFile,
  listSettings,
} from '../../workspace/configuration/list-settings.ts'
import {
  findConfiguration,
  loadConfiguration,
} from '../../workspace/configuration/load-configuration.ts'
import { readToml } from '../../workspace/configuration/read-toml.ts'
import { userSettingsSchema } from '../../workspace/configuration/user-settings-schema.ts'
import { readUserSettings, userSettingsFile } from '../../workspace/configuration/user-settings.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../../workspace/files/read-regular-file.ts'

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

/** `toolblocks config schema`: what editors check and complete a `toolblocks.toml` with. */
export function printConfigurationSchema({ terminal }: CommandContext): number {
  terminal.printJson(configurationSchema)
  return EXIT.ok
}
