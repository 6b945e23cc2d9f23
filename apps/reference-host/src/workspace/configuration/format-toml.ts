/** A value of a table that this program writes. */
type TomlValue = string | readonly string[] | Readonly<Record<string, string>>

/** Formats a table of TOML with a line for each value. */
export function formatTomlTable(
  path: readonly string[],
  values: Readonly<Record<string, TomlValue>>,
): string {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${formatValue(value)}\n`)
  return `[${formatTomlPath(path)}]\n${lines.join('')}`
}

function formatValue(value: TomlValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (isList(value)) return `[${value.map((text) => JSON.stringify(text)).join(', ')}]`
  const pairs = Object.entries(value).map(
    ([key, text]) => `${formatKey(key)} = ${JSON.stringify(text)}`,
  )
  return `{ ${pairs.join(', ')} }`
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value)
}

/** Formats the keys on the way to a value, as TOML writes them: `a."b c"`. */
export function formatTomlPath(path: readonly string[]): string {
  return path.map(formatKey).join('.')
}

function formatKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}
