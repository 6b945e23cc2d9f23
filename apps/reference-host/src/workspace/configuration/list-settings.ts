import { isJsonObject, type JsonObject } from '@toolblocks/protocol'

/** Where a value is written. */
export type Origin = { file: string; line?: number } | 'default'

/** One setting that counts. */
export interface Setting {
  /** As it is written in TOML, such as `model.name`. */
  key: string
  value: unknown
  origin: Origin
}

/** A file of settings, as it was read. */
export interface SettingsFile {
  file: string
  value: JsonObject
  lineOf(path: readonly string[]): number | undefined
}

/** Tables of which a folder's counts as a whole, or else the user's. */
const WHOLE = ['model', 'store']
/** Values that may be secrets: only that they are set is shown. */
const HIDDEN = new Set(['env', 'headers'])

/**
 * Lists the settings of a folder and those of its user, as they count together, each with where it is written; then the defaults of what nobody has
 * written.
 */
export function listSettings(
  folder: SettingsFile | undefined,
  user: SettingsFile | undefined,
  schemas: { folder: JsonObject; user: JsonObject },
): readonly Setting[] {
  const written = folder ? leavesOf(folder, Object.keys(folder.value)) : []
  const left = Object.keys(user?.value ?? {}).filter(
    (key) => !(WHOLE.includes(key) && folder && Object.hasOwn(folder.value, key)),
  )
  const own = user ? leavesOf(user, left) : []
  const listed = [...written, ...own]
  const keys = new Set(listed.map(({ key }) => key))
  const defaults = [...defaultsOf(schemas.folder), ...defaultsOf(schemas.user)].filter(
    ({ key }) => !keys.has(key),
  )
  return [...listed, ...defaults]
}

function leavesOf(
  { file, value, lineOf }: SettingsFile,
  keys: readonly string[],
): readonly Setting[] {
  return keys.flatMap((key) => leaves(value[key], [key]))

  function leaves(inner: unknown, path: readonly string[]): readonly Setting[] {
    const isHidden = HIDDEN.has(path.at(-2) ?? '')
    if (isJsonObject(inner) && Object.keys(inner).length > 0)
      return Object.entries(inner).flatMap(([key, each]) => leaves(each, [...path, key]))
    const line = lineOf(path)
    const origin = { file, ...(line !== undefined && { line }) }
    return [{ key: keyOf(path), value: isHidden ? '(set)' : inner, origin }]
  }
}

/** Of what stands in sections that everybody has, not in tables under names of one's own. */
function defaultsOf(schema: JsonObject, path: readonly string[] = []): readonly Setting[] {
  const { properties } = schema
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).flatMap(([key, inner]): readonly Setting[] => {
    if (!isJsonObject(inner)) return []
    const at = [...path, key]
    if (Object.hasOwn(inner, 'default'))
      return [{ key: keyOf(at), value: inner['default'], origin: 'default' }]
    return defaultsOf(inner, at)
  })
}

function keyOf(path: readonly string[]): string {
  return path.map((step) => (/^[\w-]+$/.test(step) ? step : JSON.stringify(step))).join('.')
}
