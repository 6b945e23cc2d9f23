import type { ErrorObject } from 'ajv'
import { appendPointer, countCharacters, field, isJsonObject } from '@toolblocks/protocol'
import { joinWithOr, listValues, type DescribeValue } from './describe-value.ts'
import { KEYWORD_CODES, type SchemaProblem } from './schema-problem.ts'

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
export function explainError(error: ErrorObject, describe: DescribeValue): SchemaProblem {
  const { path = error.instancePath, expected, got, message } = explain(error, describe)
  const found = got ?? describe(error.data)
  return {
    path,
    message: message ?? `expected ${expected}, got ${found}`,
    expected,
    got: found,
    code: KEYWORD_CODES.find((code) => code === error.keyword) ?? 'keyword',
  }
}

function explain(error: ErrorObject, describe: DescribeValue): Explanation {
  return (
    explainProperties(error) ??
    explainValues(error, describe) ??
    explainSizes(error) ?? {
      expected: `a value that fits the schema (${error.message ?? error.keyword})`,
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
      const expected = describeSchema(propertyOf(parentSchema, name))
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
        expected: 'a property name that fits the schema',
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
      return { expected: 'a value that does not fit the schema under "not"' }
    case 'anyOf':
    case 'oneOf':
      return explainChoice(params, schema, describe(data))
    default:
      return undefined
  }
}

/** What people call texts of a format. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-31',
  time: 'a time such as 12:30:00Z',
  'date-time': 'a date with a time such as 2026-01-31T12:30:00Z',
  duration: 'a duration such as PT1H30M',
  email: 'an e-mail address',
  hostname: 'the name of a host',
  ipv4: 'an IPv4 address such as 192.0.2.1',
  ipv6: 'an IPv6 address such as 2001:db8::1',
  uri: 'an address with its scheme, such as https://example.com',
  'uri-reference': 'an address, or a part of one',
  uuid: 'a UUID',
  regex: 'a regular expression',
}

function explainFormat(format: string, got: string): Explanation {
  const name = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  if (name === undefined) return { expected: `a string in the format ${JSON.stringify(format)}` }
  return { expected: name, message: `not ${name}: ${got.replace(/^string /, '')}` }
}

function explainChoice(
  params: Readonly<Record<string, unknown>>,
  schema: unknown,
  got: string,
): Explanation {
  const passing = params['passingSchemas']
  const alternatives = asList(schema)
  if (Array.isArray(passing)) {
    const expected = 'a value that fits exactly one of the alternatives'
    return { expected, got: `${got}, which fits several` }
  }
  const described = [...new Set(alternatives.map(describeSchema))]
  return described.length > 5
    ? { expected: `a value that fits one of ${alternatives.length} alternatives` }
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
        expected: 'items that all differ',
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

function propertyOf(schema: unknown, name: string): unknown {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  return isJsonObject(properties) ? field(properties, name) : undefined
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
