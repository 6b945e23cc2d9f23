import { isJsonObject } from '../json/json.ts'
import { describeValue, quoteBriefly } from '../text/describe-value.ts'

/** The shape of data, by `type`. */
export type DataShape =
  | { type: 'value'; expected: string; is: (value: unknown) => boolean }
  | { type: 'list'; element: DataShape }
  | {
      type: 'object'
      required: Readonly<Record<string, DataShape>>
      optional: Readonly<Record<string, DataShape>>
      /** At least one of these optional fields must be present. */
      requiresOneOf?: readonly string[]
    }

/** The first part of data that does not have its shape. */
export interface DataMismatch {
  /** JSON Pointer inside the data. Empty: the data itself. */
  at: string
  expected: string
  got: string
}

/** Makes the shape of a value that passes a check. */
export function createValueShape(expected: string, is: (value: unknown) => boolean): DataShape {
  return { type: 'value', expected, is }
}

/** Makes the shape of one of some names. */
export function createChoiceShape(names: readonly string[]): DataShape {
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return createValueShape(expected, (value) => names.some((name) => name === value))
}

/** Makes the shape of an array. */
export function createListShape(element: DataShape): DataShape & { type: 'list' } {
  return { type: 'list', element }
}

/** Makes the shape of an object. Other fields may be present. */
export function createObjectShape(
  required: Readonly<Record<string, DataShape>>,
  optional: Readonly<Record<string, DataShape>> = {},
): DataShape & { type: 'object' } {
  return { type: 'object', required, optional }
}

/** Finds the first part of data that does not have a shape, as deep as possible. Inherited fields do not count. */
export function findDataMismatch(
  shape: DataShape,
  data: unknown,
  path = '',
): DataMismatch | undefined {
  const createMismatch = () => ({
    at: path,
    expected: describeShape(shape),
    got: describeData(data),
  })
  switch (shape.type) {
    case 'value':
      return shape.is(data) ? undefined : createMismatch()
    case 'list': {
      if (!Array.isArray(data)) return createMismatch()
      for (const [index, element] of data.entries()) {
        const inner = findDataMismatch(shape.element, element, `${path}/${index}`)
        if (inner) return inner
      }
      return undefined
    }
    case 'object': {
      if (!isJsonObject(data)) return createMismatch()
      const { required, optional, requiresOneOf } = shape
      const isComplete =
        Object.keys(required).every((name) => Object.hasOwn(data, name)) &&
        (requiresOneOf?.some((name) => Object.hasOwn(data, name)) ?? true)
      if (!isComplete) return createMismatch()
      for (const [name, field] of Object.entries({ ...required, ...optional })) {
        if (!Object.hasOwn(data, name)) continue
        const inner = findDataMismatch(field, data[name], `${path}/${name}`)
        if (inner) return inner
      }
      return undefined
    }
  }
}

function describeShape(shape: DataShape): string {
  switch (shape.type) {
    case 'value':
      return shape.expected
    case 'list':
      return 'an array'
    case 'object': {
      const { required, requiresOneOf } = shape
      const names = quoteNames(Object.keys(required)).join(', ')
      return `an object with ${requiresOneOf ? quoteNames(requiresOneOf).join(' or ') : names}`
    }
  }
}

const MAX_NAMES = 8

/** Describes data for a message: an object by the names of its fields. */
function describeData(data: unknown): string {
  if (!isJsonObject(data)) return describeValue(data)
  const names = Object.keys(data)
  const more = names.length > MAX_NAMES ? ['…'] : []
  return `{${[...quoteNames(names.slice(0, MAX_NAMES)), ...more].join(', ')}}`
}

function quoteNames(names: readonly string[]): string[] {
  return names.map((name) => quoteBriefly(name))
}
