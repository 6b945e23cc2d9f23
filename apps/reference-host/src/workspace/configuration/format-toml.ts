import { isJsonObject, type JsonObject } from '@toolblocks/protocol'

/** Formats a table of TOML with a line for each value. */
export function formatTomlTable(path: readonly string[], values: JsonObject): string {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${formatValue(value)}\n`)
  return `[${formatTomlPath(path)}]\n${lines.join('')}`
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const pairs = Object.entries(value).map(
    ([key, each]) => `${formatKey(key)} = ${formatValue(each)}`,
  )
  return `{ ${pairs.join(', ')} }`
}

/** Formats the keys on the way to a value, as TOML writes them: `a."b c"`. */
export function formatTomlPath(path: readonly string[]): string {
  return path.map(formatKey).join('.')
}

function formatKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}
