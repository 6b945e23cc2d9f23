import { describeValue } from './describe-value.ts'

/** What an argument of a public function must be. `?` at the end: it may be absent. */
export type ArgumentKind = CheckedKind | `${CheckedKind}?`

/** The kinds of values. */
type CheckedKind =
  | 'anything'
  | 'array'
  | 'bytes'
  | 'bytes or string'
  | 'function'
  | 'iterable'
  | 'number'
  | 'object'
  | 'string'
  | 'sync or async iterable'
  | 'value'

/** A program calls a public function with a wrong argument. `code` is `invalid-argument`. */
export class InvalidArgumentError extends TypeError {
  override readonly name = 'InvalidArgumentError'
  readonly code = 'invalid-argument'
}

const KIND_NAMES: Readonly<Record<CheckedKind, string>> = {
  anything: 'anything',
  array: 'an array',
  bytes: 'a Uint8Array',
  'bytes or string': 'a string or a Uint8Array',
  function: 'a function',
  iterable: 'an array or another iterable',
  number: 'a number',
  object: 'an object',
  string: 'a string',
  'sync or async iterable': 'an array, another iterable or an async iterable',
  value: 'a value',
}

/** What an argument must be: a kind, or the fields of an object with the kind of each. */
type Expected = ArgumentKind | Readonly<Record<string, ArgumentKind>>

/**
 * Checks the arguments of a public function, where a program that is not type-checked can give wrong ones. `call` is the function as a caller writes
 * it, `limitResult(result, limits)`, and each of `checks` is one argument, in this order, with what it must be. Throws an `InvalidArgumentError` that
 * names the function, the argument, what was expected and what came.
 */
export function requireArguments(
  call: string,
  ...checks: readonly (readonly [value: unknown, expected: Expected])[]
): void {
  for (const [index, [value, expected]] of checks.entries()) {
    if (typeof expected === 'string') {
      if (!isOfKind(value, expected)) fail(call, nameArgument(call, index), expected, value)
    } else checkFields(call, nameArgument(call, index), value, expected)
  }
}

function checkFields(
  call: string,
  name: string,
  value: unknown,
  expected: Readonly<Record<string, ArgumentKind>>,
): void {
  if (!isOfKind(value, 'object')) {
    const fields = Object.entries(expected).map(([field, kind]) => `${field} (${getWords(kind)})`)
    throw new InvalidArgumentError(
      `${call}: ${name}: expected an object with ${fields.join(' and ')}, got ${describeValue(value)}`,
    )
  }
  for (const [field, kind] of Object.entries(expected)) {
    const inside: unknown = Reflect.get(Object(value), field)
    if (!isOfKind(inside, kind)) fail(call, `${name}.${field}`, kind, inside)
  }
}

/** The name of an argument in the function as a caller writes it. */
function nameArgument(call: string, index: number): string {
  const names = call.slice(call.indexOf('(') + 1, -1).split(', ')
  return names[index] ?? `argument ${index + 1}`
}

function fail(call: string, argument: string, kind: ArgumentKind, value: unknown): never {
  throw new InvalidArgumentError(
    `${call}: ${argument}: expected ${getWords(kind)}, got ${describeValue(value)}`,
  )
}

function getWords(kind: ArgumentKind): string {
  return KIND_NAMES[getKind(kind)]
}

function getKind(kind: ArgumentKind): CheckedKind {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of a kind with its mark removed
  return (kind.endsWith('?') ? kind.slice(0, -1) : kind) as CheckedKind
}

function isOfKind(value: unknown, kind: ArgumentKind): boolean {
  if (value === undefined && kind.endsWith('?')) return true
  const isObject = typeof value === 'object' && value !== null
  const named = getKind(kind)
  switch (named) {
    case 'anything':
      return true
    case 'array':
      return Array.isArray(value)
    case 'bytes':
      return value instanceof Uint8Array
    case 'bytes or string':
      return typeof value === 'string' || value instanceof Uint8Array
    case 'iterable':
      return isObject && Symbol.iterator in value
    case 'sync or async iterable':
      return isObject && (Symbol.iterator in value || Symbol.asyncIterator in value)
    case 'object':
      return isObject && !Array.isArray(value)
    case 'value':
      return value !== undefined && value !== null
    case 'function':
    case 'number':
    case 'string':
      return typeof value === named
  }
}
