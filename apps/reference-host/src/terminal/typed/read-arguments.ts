import { type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import { parseJson, shortenText, getErrorText } from '@toolblocks/protocol/internal'
import { readTypedArguments } from '@toolblocks/tool-executor/internal'

/** The arguments of a call, or the error in the typed text. */
type ReadTypedArguments =
  | { ok: true; values: Readonly<Record<string, unknown>> }
  | { ok: false; message: string }

/** The typed arguments: any number of `--arg key=value`, which override the object of `--arguments`. */
export interface TypedArguments {
  arg?: readonly string[]
  arguments?: string
}

/**
 * Combines typed arguments. A key becomes a list if it is repeated or if the schema expects a list. A text becomes the number, boolean or JSON
 * value that the schema expects.
 */
export async function readArguments(
  typed: TypedArguments,
  { schema, readText }: { schema: JsonSchema; readText: ReadText },
): Promise<ReadTypedArguments> {
  const base =
    typed.arguments === undefined ? undefined : await readJsonArguments(typed.arguments, readText)
  if (base && !base.ok) return base
  const texts = new Map<string, unknown>()
  for (const [key, values] of groupByKey(typed.arg ?? [])) {
    if (key === undefined) {
      const message = `--arg ${JSON.stringify(values[0])}: expected key=value`
      return { ok: false, message }
    }
    const [only, ...more] = values
    texts.set(key, more.length > 0 || isPlainListItem(only, key, schema) ? values : only)
  }
  const read = readTypedArguments(Object.fromEntries(texts), schema)
  return { ok: true, values: { ...base?.values, ...read } }
}

function groupByKey(pairs: readonly string[]): Map<string | undefined, string[]> {
  const groups = new Map<string | undefined, string[]>()
  for (const pair of pairs) {
    const separator = pair.indexOf('=')
    const key = separator > 0 ? pair.slice(0, separator) : undefined
    const text = key === undefined ? pair : pair.slice(separator + 1)
    groups.set(key, [...(groups.get(key) ?? []), text])
  }
  return groups
}

/** Whether one text becomes a list with one item. A text that is already a JSON list does not. */
function isPlainListItem(text: string | undefined, key: string, schema: JsonSchema): boolean {
  if (text === undefined || Array.isArray(parseJson(text))) return false
  const properties = typeof schema === 'object' ? schema['properties'] : undefined
  const property: unknown =
    typeof properties === 'object' && properties !== null && Object.hasOwn(properties, key)
      ? Reflect.get(properties, key)
      : undefined
  return (
    typeof property === 'object' && property !== null && Reflect.get(property, 'type') === 'array'
  )
}

/** Reads a file by its name, or standard input for `-`. Rejects if that fails. */
export type ReadText = (name: string) => Promise<string>

/** Reads `--arguments`: an object, `@FILE`, or `-` for standard input. */
async function readJsonArguments(typed: string, readText: ReadText): Promise<ReadTypedArguments> {
  const name = typed === '-' ? '-' : typed.startsWith('@') ? typed.slice(1) : undefined
  if (name === '') return createProblem('--arguments @: expected the name of a file after @')
  const source = name === undefined ? '--arguments' : `--arguments ${typed}`
  try {
    return parse(source, name === undefined ? typed : await readText(name))
  } catch (error) {
    const reason = getErrorText(error)
    return createProblem(`${source}: reading failed: ${reason}`)
  }
}

function parse(source: string, text: string): ReadTypedArguments {
  const expected = `${source}: expected a JSON object such as '{"path":"a.txt"}'`
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return { ok: true, values: { ...value } }
    return createProblem(`${expected}, got ${shortenText(text, 60)}`)
  } catch (error) {
    const reason = getErrorText(error)
    return createProblem(`${expected}, got invalid JSON: ${reason}`)
  }
}

function createProblem(message: string): ReadTypedArguments {
  return { ok: false, message }
}
