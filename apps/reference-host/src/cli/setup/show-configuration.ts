import type { Terminal } from '../../terminal/terminal.ts'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
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
import { loadConfiguration } from '../../workspace/configuration/load-configuration.ts'
import { findConfiguration } from '../../workspace/files/find-configuration.ts'
import { formatTomlPath } from '../../workspace/configuration/format-toml.ts'
import { readToml } from '../../workspace/configuration/read-toml.ts'
import { userSettingsSchema } from '../../workspace/configuration/user-settings-schema.ts'
import { readUserSettings, userSettingsFile } from '../../workspace/configuration/user-settings.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../../workspace/files/read-regular-file.ts'
import { maskUrl } from '../../workspace/servers/mask-server.ts'

/** `toolblocks config show`: lists every setting that applies in this folder, and where it is written. */
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
  for (const problem of problems) terminal.report('error', describeProblem(problem))
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

function writeSetting({ key, value, origin }: Setting, { style }: Terminal) {
  const line = [style.cyan(key), style.plain('='), style.plain(JSON.stringify(value))]
  return joinTerminal([...line, style.dim(`# ${describeOrigin(origin)}`)], ' ')
}

function describeOrigin(origin: SettingOrigin): string {
  if (origin === 'default') return 'default'
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`
}

/** `toolblocks config schema`: prints the schema with which editors check and complete a `toolblocks.toml`. */
export function printConfigurationSchema({ terminal }: CommandContext): number {
  terminal.printJson(configurationSchema)
  return EXIT.ok
}

/** The place where a value is written. */
type SettingOrigin = { file: string; line?: number } | 'default'

/** One setting that applies. */
interface Setting {
  /** The key as it is written in TOML, such as `model.name`. */
  key: string
  value: unknown
  origin: SettingOrigin
}

/** A file of settings that was read. */
interface SettingsFile {
  file: string
  value: JsonObject
  findLine(path: readonly string[]): number | undefined
}

/** Tables that are not merged: the folder's table replaces the user's. */
const WHOLE = ['model', 'store']

/** Values that may be secrets. Only their presence is shown. */
const HIDDEN = new Set(['env', 'headers'])

/** Lists the settings of a folder and of its user as they apply together, each with its place, and then the defaults of all other settings. */
function listSettings(
  folder: SettingsFile | undefined,
  user: SettingsFile | undefined,
  schemas: { folder: JsonObject; user: JsonObject },
): readonly Setting[] {
  const written = folder ? getLeaves(folder, Object.keys(folder.value)) : []
  const left = Object.keys(user?.value ?? {}).filter(
    (key) => !(WHOLE.includes(key) && folder && Object.hasOwn(folder.value, key)),
  )
  const own = user ? getLeaves(user, left) : []
  const listed = [...written, ...own]
  const keys = new Set(listed.map(({ key }) => key))
  // A section that both files may have is listed once.
  const defaults = new Map(
    [...getDefaults(schemas.folder), ...getDefaults(schemas.user)].map((each) => [each.key, each]),
  )
  return [...listed, ...[...defaults.values()].filter(({ key }) => !keys.has(key))]
}

function getLeaves(
  { file, value, findLine }: SettingsFile,
  keys: readonly string[],
): readonly Setting[] {
  return keys.flatMap((key) => listLeafSettings(value[key], [key]))

  function listLeafSettings(inner: unknown, path: readonly string[]): readonly Setting[] {
    const isHidden = HIDDEN.has(path.at(-2) ?? '')
    if (isJsonObject(inner) && Object.keys(inner).length > 0)
      return Object.entries(inner).flatMap(([key, each]) => listLeafSettings(each, [...path, key]))
    const line = findLine(path)
    const origin = { file, ...(line !== undefined && { line }) }
    return [{ key: formatTomlPath(path), value: isHidden ? '(set)' : maskAddress(inner), origin }]
  }
}

/** Masks the credentials in a text that is an address. */
function maskAddress(value: unknown): unknown {
  return typeof value === 'string' && /^[a-z][a-z+.-]*:\/\//i.test(value) ? maskUrl(value) : value
}

/** Returns the defaults of sections that every configuration has. Tables with names of the user's choice have none. */
function getDefaults(schema: JsonObject, path: readonly string[] = []): readonly Setting[] {
  const { properties } = schema
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).flatMap(([key, inner]): readonly Setting[] => {
    if (!isJsonObject(inner)) return []
    const innerPath = [...path, key]
    if (Object.hasOwn(inner, 'default'))
      return [{ key: formatTomlPath(innerPath), value: inner['default'], origin: 'default' }]
    return getDefaults(inner, innerPath)
  })
}
