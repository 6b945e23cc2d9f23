import { type ToolCall, type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { requireArguments, parseJson } from '@toolblocks/protocol/internal'
import type { NameRule } from '../model/model-profile.ts'

/** Converts argument names to a provider's names, and back. */
export interface ParameterNames {
  toProvider(callArguments: JsonObject): JsonObject
  fromProvider(callArguments: JsonObject): JsonObject
}

/** Converts the names of tools and their parameters to a provider's names, and back. */
export interface ToolNames {
  /** Converts a call for the provider. Its arguments are an object, which every provider requires. */
  toProvider(call: Pick<ToolCall, 'name' | 'arguments'>): Pick<ToolCall, 'name' | 'arguments'>
  /** Converts a call of the model back to the tools' own names. Unknown names do not change. */
  fromProvider(call: Pick<ToolCall, 'name' | 'arguments'>): Pick<ToolCall, 'name' | 'arguments'>
}

/** Maps calls by the names of tools, and by those of their parameters if some had to change. */
export function createToolNames(
  names: NameMap,
  parameters: ReadonlyMap<string, ParameterNames>,
): ToolNames {
  return {
    toProvider: ({ name, arguments: callArguments }) => {
      const read = toArgumentsObject(callArguments)
      return { name: names.to(name), arguments: parameters.get(name)?.toProvider(read) ?? read }
    },
    fromProvider: ({ name: theirs, arguments: callArguments }) => {
      const name = names.from(theirs)
      // Arguments that are not an object pass unchanged: an executor refuses them with a message.
      if (!isJsonObject(callArguments)) return { name, arguments: callArguments }
      return { name, arguments: parameters.get(name)?.fromProvider(callArguments) ?? callArguments }
    },
  }
}

/** Returns a function that gives each name the nearest valid and unused one. */
export function createClaims(rule: NameRule): (name: string) => string {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return (name) => {
    const base = fitName(name, rule)
    let claimed = base
    // Counted per name, so that a thousand equal names do not need a million attempts.
    let count = counts.get(base) ?? 1
    while (taken.has(claimed)) {
      count += 1
      const end = `_${count}`
      claimed = base.slice(0, rule.maxLength - end.length) + end
    }
    counts.set(base, count)
    taken.add(claimed)
    return claimed
  }
}

/** Whether a name is valid for a rule. */
export function fitsRule(name: string, rule: NameRule): boolean {
  return name !== '' && fitName(name, rule) === name
}

function fitName(name: string, rule: NameRule): string {
  const plain = name.slice(0, rule.maxLength).replaceAll(getRefusedPattern(rule), '_')
  if (plain !== '' && (!rule.startsWithLetter || /^[A-Za-z_]/.test(plain))) return plain
  return `_${plain}`.slice(0, rule.maxLength)
}

/** Cached, because thousands of parameters are checked against the same few rules. */
const refusedPatterns = new Map<string, RegExp>()

/** Returns the pattern of characters that a rule refuses. */
function getRefusedPattern({ marks }: NameRule): RegExp {
  const known = refusedPatterns.get(marks)
  if (known) return known
  const made = new RegExp(`[^A-Za-z0-9${marks.replaceAll(/[\]\\^-]/g, String.raw`\$&`)}]`, 'g')
  refusedPatterns.set(marks, made)
  return made
}

/** Maps names to a provider's names, both ways. */
export interface NameMap {
  /** Returns the provider's name. */
  to(name: string): string
  /** Returns the name here. An unknown name does not change. */
  from(name: string): string
}

/** Maps names to valid ones for a provider. Valid names stay. The order of the names does not matter. */
export function createNameMap(names: Iterable<string>, rule: NameRule): NameMap {
  requireArguments('createNameMap(names, rule)', [names, 'iterable'], [rule, 'object'])
  const claim = createClaims(rule)
  const [kept, changed] = [new Array<string>(), new Array<string>()]
  for (const name of new Set(names)) (fitsRule(name, rule) ? kept : changed).push(name)
  const to = new Map([...kept, ...changed.toSorted()].map((name) => [name, claim(name)]))
  const from = new Map([...to].map(([name, theirs]) => [theirs, name]))
  return { to: (name) => to.get(name) ?? name, from: (name) => from.get(name) ?? name }
}

/** The argument name under which a model gets back what it sent instead of an object. */
const UNREAD = 'not_an_object'

/** Returns arguments as an object, which providers and stores require. Any other value is put under `not_an_object`. */
export function toArgumentsObject(callArguments: ToolCall['arguments']): ToolCall['arguments'] {
  return isJsonObject(callArguments) ? callArguments : { [UNREAD]: callArguments }
}

/** Parses arguments from a provider's JSON. A value that is not an object passes unchanged: the executor tells the model what is wrong. */
export function readArguments(input: string): ToolCall['arguments'] {
  requireArguments('readArguments(input)', [input, 'string'])
  if (input.trim() === '') return {}
  const value = parseJson(input)
  if (isJsonObject(value)) return value
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- refused by an executor, in words
  return input as unknown as ToolCall['arguments']
}
