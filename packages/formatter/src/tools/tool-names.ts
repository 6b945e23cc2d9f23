import { type ToolCall, isJsonObject, parseJson, type JsonObject } from '@toolblocks/protocol'
import type { NameRule } from '../model/model-profile.ts'

/** Arguments in the names that a provider was told, and back. */
export interface ParameterNames {
  toProvider(given: JsonObject): JsonObject
  fromProvider(given: JsonObject): JsonObject
}

/** What tools and their parameters are called at a provider, and back. */
export interface ToolNames {
  /** A call as the provider is told of it; its arguments are an object, which every provider insists on. */
  toProvider(call: Pick<ToolCall, 'name' | 'arguments'>): Pick<ToolCall, 'name' | 'arguments'>
  /** A call as the model made it, in the names of the tools. Names that nobody told it stay as they are. */
  fromProvider(call: Pick<ToolCall, 'name' | 'arguments'>): Pick<ToolCall, 'name' | 'arguments'>
}

/** Maps calls by the names of tools, and by those of each tool's parameters where some had to change. */
export function createToolNames(
  names: NameMap,
  parameters: ReadonlyMap<string, ParameterNames>,
): ToolNames {
  return {
    toProvider: ({ name, arguments: given }) => {
      const read = toArgumentsObject(given)
      return { name: names.to(name), arguments: parameters.get(name)?.toProvider(read) ?? read }
    },
    fromProvider: ({ name: theirs, arguments: given }) => {
      const name = names.from(theirs)
      // Arguments that are no object go on as they came: an executor refuses them in words.
      if (!isJsonObject(given)) return { name, arguments: given }
      return { name, arguments: parameters.get(name)?.fromProvider(given) ?? given }
    },
  }
}

/** Gives each name the nearest one that a rule takes and that was not given before. */
export function createClaims(rule: NameRule): (name: string) => string {
  const given = new Set<string>()
  const counts = new Map<string, number>()
  return (name) => {
    const base = fitName(name, rule)
    let claimed = base
    // Counted per name, so that a thousand of the same take no million tries.
    let count = counts.get(base) ?? 1
    while (given.has(claimed)) {
      count += 1
      const end = `_${count}`
      claimed = base.slice(0, rule.maxLength - end.length) + end
    }
    counts.set(base, count)
    given.add(claimed)
    return claimed
  }
}

/** Whether a rule takes a name as it is. */
export function fitsRule(name: string, rule: NameRule): boolean {
  return name !== '' && fitName(name, rule) === name
}

function fitName(name: string, rule: NameRule): string {
  const plain = name.slice(0, rule.maxLength).replaceAll(foreignTo(rule), '_')
  if (plain !== '' && (!rule.startsWithLetter || /^[A-Za-z_]/.test(plain))) return plain
  return `_${plain}`.slice(0, rule.maxLength)
}

/** Thousands of parameters are held against the same few rules. */
const foreign = new Map<string, RegExp>()

/** What a rule does not take. */
function foreignTo({ marks }: NameRule): RegExp {
  const known = foreign.get(marks)
  if (known) return known
  const made = new RegExp(`[^A-Za-z0-9${marks.replaceAll(/[\]\\^-]/g, String.raw`\$&`)}]`, 'g')
  foreign.set(marks, made)
  return made
}

/** Names and what a provider calls them, both ways. */
export interface NameMap {
  /** What the provider calls it. */
  to(name: string): string
  /** What it is called here; a name that the provider was never told stays as it is. */
  from(name: string): string
}

/** Maps names to a provider's. Those that it takes stay; the order in which they come does not matter. */
export function createNameMap(names: Iterable<string>, rule: NameRule): NameMap {
  const claim = createClaims(rule)
  const [kept, changed] = [new Array<string>(), new Array<string>()]
  for (const name of new Set(names)) (fitsRule(name, rule) ? kept : changed).push(name)
  const to = new Map([...kept, ...changed.toSorted()].map((name) => [name, claim(name)]))
  const from = new Map([...to].map(([name, theirs]) => [theirs, name]))
  return { to: (name) => to.get(name) ?? name, from: (name) => from.get(name) ?? name }
}

/** Under which name a model gets back what it said instead of arguments. */
const UNREAD = 'not_an_object'

/** Arguments as an object, which providers and stores insist on: what a model said instead stands under `not_an_object`. */
export function toArgumentsObject(given: ToolCall['arguments']): ToolCall['arguments'] {
  return isJsonObject(given) ? given : { [UNREAD]: given }
}

/** Arguments from a provider's JSON. What is no object goes on as it is: the executor says to the model what is wrong with it. */
export function readArguments(input: string): ToolCall['arguments'] {
  if (input.trim() === '') return {}
  const value = parseJson(input)
  if (isJsonObject(value)) return value
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- refused by an executor, in words
  return input as unknown as ToolCall['arguments']
}
