import {
  appendPointer,
  countCharacters,
  describeValue,
  quoteBriefly,
  shortenText,
  getOwnField,
} from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import type { ErrorObject } from 'ajv'
import { MAX_PROBLEMS } from '../lint/limits.ts'
import { KEYWORD_CODES, type SchemaProblem } from '../lint/schema-problem.ts'
import { foldAlternatives } from './fold-alternatives.ts'

/** Further errors are only counted; twenty are shown. */
const MAX_EXPLAINED = 1000

/** Converts Ajv's errors into problems: one line each, without repetition of alternatives, at most 20. */
export function explainErrors(errors: readonly ErrorObject[]): SchemaProblem[] {
  const folded = foldAlternatives(errors)
  const describe = createDescriber()
  const problems = folded.slice(0, MAX_EXPLAINED).map((error) => explainError(error, describe))
  const seen = new Set<string>()
  const distinct = problems.filter(({ path, message }) => {
    const line = `${path}\0${message}`
    return seen.has(line) ? false : seen.add(line)
  })
  const uncounted = folded.length - problems.length
  if (distinct.length + uncounted <= MAX_PROBLEMS) return distinct
  const more = distinct.length + uncounted - MAX_PROBLEMS + 1
  const rest: SchemaProblem = { path: '', message: `${more} more problems`, code: 'more' }
  return [...distinct.slice(0, MAX_PROBLEMS - 1), rest]
}

interface Explanation {
  /** Replaces the path of the value where the problem is one step below it. */
  path?: string
  expected: string
  /** Replaces the description of the value. */
  got?: string
  /** Replaces `expected …, got …`. */
  message?: string
}

/** One error of Ajv as a problem in plain words. */
function explainError(error: ErrorObject, describe: DescribeValue): SchemaProblem {
  const { path = error.instancePath, expected, got, message } = explain(error, describe)
  const actual = got ?? describe(error.data)
  return {
    path,
    message: message ?? `expected ${expected}, got ${actual}`,
    expected,
    got: actual,
    code: KEYWORD_CODES.find((code) => code === error.keyword) ?? 'keyword',
  }
}

function explain(error: ErrorObject, describe: DescribeValue): Explanation {
  return (
    explainProperties(error) ??
    explainValues(error, describe) ??
    explainSizes(error) ?? {
      expected: `a value that matches the schema (${error.message ?? error.keyword})`,
    }
  )
}

function explainProperties({
  keyword,
  params,
  parentSchema,
  instancePath,
}: ErrorObject): Explanation | undefined {
  switch (keyword) {
    case 'required': {
      const name = String(params['missingProperty'])
      const expected = describeSchema(getProperty(parentSchema, name))
      const message = `is required and missing; expected ${expected}`
      return { path: appendPointer(instancePath, name), expected, got: 'nothing', message }
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params['additionalProperty'] ?? params['unevaluatedProperty'])
      const properties: unknown = parentSchema?.['properties']
      const known = isJsonObject(properties) ? Object.keys(properties) : []
      const expected = known.length === 0 ? 'no properties' : `only ${listValues(known)}`
      const message = `is not a known property; expected ${expected}`
      return {
        path: appendPointer(instancePath, name),
        expected,
        got: JSON.stringify(name),
        message,
      }
    }
    case 'propertyNames': {
      const name = String(params['propertyName'])
      return {
        path: appendPointer(instancePath, name),
        expected: 'a property name that matches the schema',
        got: JSON.stringify(name),
      }
    }
    default:
      return undefined
  }
}

function explainValues(
  { keyword, params, schema, data }: ErrorObject,
  describe: DescribeValue,
): Explanation | undefined {
  switch (keyword) {
    case 'type': {
      const type: unknown = params['type']
      return { expected: joinWithOr((Array.isArray(type) ? type : [type]).map(String)) }
    }
    case 'enum':
      return { expected: listValues(asList(params['allowedValues'])) }
    case 'const':
      return { expected: listValues([params['allowedValue']]) }
    case 'format':
      return explainFormat(String(params['format']), describe(data))
    case 'pattern':
      return { expected: `a string that matches the pattern ${oneLine(params['pattern'])}` }
    case 'false schema':
      return { expected: 'nothing', message: 'is not allowed' }
    case 'not':
      return { expected: 'a value that does not match the schema under "not"' }
    case 'anyOf':
    case 'oneOf':
      return explainChoice(params, schema, describe(data))
    default:
      return undefined
  }
}

function explainChoice(
  params: Readonly<Record<string, unknown>>,
  schema: unknown,
  got: string,
): Explanation {
  const passing = params['passingSchemas']
  const alternatives = asList(schema)
  if (Array.isArray(passing)) {
    const expected = 'a value that matches exactly one of the alternatives'
    return { expected, got: `${got}, which matches several` }
  }
  const described = [...new Set(alternatives.map(describeSchema))]
  return described.length > 5
    ? { expected: `a value that matches one of ${alternatives.length} alternatives` }
    : { expected: joinWithOr(described) }
}

function explainSizes({ keyword, params, data }: ErrorObject): Explanation | undefined {
  const limit = String(params['limit'])
  switch (keyword) {
    case 'minLength':
    case 'maxLength':
      return {
        expected: bound(keyword, limit, ['character', 'characters']),
        got: String(countCharacters(String(data))),
      }
    case 'minItems':
    case 'maxItems':
      return { expected: bound(keyword, limit, ['item', 'items']) }
    case 'minProperties':
    case 'maxProperties':
      return { expected: bound(keyword, limit, ['property', 'properties']) }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { expected: `a number ${String(params['comparison'])} ${limit}` }
    case 'multipleOf':
      return { expected: `a multiple of ${String(params['multipleOf'])}` }
    case 'uniqueItems':
      return {
        expected: 'unique items',
        got: `items ${String(params['j'])} and ${String(params['i'])} alike`,
      }
    default:
      return undefined
  }
}

function bound(keyword: string, limit: string, [one, several]: readonly [string, string]): string {
  const side = keyword.startsWith('min') ? 'at least' : 'at most'
  return `${side} ${limit} ${limit === '1' ? one : several}`
}

/** A pattern as it was written, unless it would break the line. */
function oneLine(pattern: unknown): string {
  const text = String(pattern)
  return /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function getProperty(schema: unknown, name: string): unknown {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  return isJsonObject(properties) ? getOwnField(properties, name) : undefined
}

/** What a schema wants, in a few words. */
function describeSchema(schema: unknown): string {
  if (!isJsonObject(schema)) return 'a value'
  if (Array.isArray(schema['enum'])) return listValues(schema['enum'])
  if ('const' in schema) return listValues([schema['const']])
  const type = schema['type']
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return joinWithOr(type.map(String))
  return typeof schema['title'] === 'string' ? JSON.stringify(schema['title']) : 'a value'
}

/** What people call the formats of strings, each with an example. */
const FORMATS: Readonly<Record<string, readonly [what: string, example: string]>> = {
  email: ['an e-mail address', 'ada@example.org'],
  'idn-email': ['an e-mail address', 'ada@example.org'],
  uri: ['a URI', 'https://example.org/a'],
  iri: ['a URI', 'https://example.org/a'],
  date: ['a date', '2026-05-31'],
  time: ['a time with a time zone', '07:30:00Z'],
  'date-time': ['a date and time with a time zone', '2026-05-31T07:30:00Z'],
  duration: ['a duration', 'PT1H30M'],
  hostname: ['a host name', 'example.org'],
  ipv4: ['an IPv4 address', '192.0.2.1'],
  ipv6: ['an IPv6 address', '2001:db8::1'],
  uuid: ['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
  regex: ['a regular expression', '^a+$'],
}

function explainFormat(format: string, got: string): Explanation {
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  if (!known) return { expected: `a string in the format ${JSON.stringify(format)}` }
  const [what, example] = known
  const expected = `${what} such as ${example}`
  return {
    expected,
    message: `not ${what}: ${got.replace(/^string /, '')}; expected one such as ${example}`,
  }
}

const MAX_LENGTH = 60

/** A value in a few words, for example `string "abc"`, `array of 3` or `nothing`. */
type DescribeValue = (value: unknown) => string

/** Describes values, each large one once: many problems may speak of the same. */
function createDescriber(): DescribeValue {
  const described = new Map<unknown, string>()
  return (value) => {
    if (typeof value !== 'object' || value === null) return describeValue(value)
    const text = described.get(value) ?? describeValue(value)
    described.set(value, text)
    return text
  }
}

/** A list of JSON values, for example `"a", "b" or 3`. */
function listValues(values: readonly unknown[]): string {
  const listed = values.slice(0, 10).map(shortJson)
  if (values.length > listed.length) listed.push(`${values.length - listed.length} more`)
  return joinWithOr(listed)
}

/** For example `a`, `a or b`, `a, b or c`. */
function joinWithOr(choices: readonly string[]): string {
  if (choices.length < 2) return choices.join('')
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

const shortened = new WeakMap<object, string>()

/** A value of a schema, which stays as it is, is written out once; of a text only the beginning. */
function shortJson(value: unknown): string {
  if (typeof value === 'string') return quoteBriefly(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const text = shortened.get(value) ?? shortenText(JSON.stringify(value), MAX_LENGTH)
  shortened.set(value, text)
  return text
}
