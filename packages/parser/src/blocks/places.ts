import { isAudience, isJsonSchema, isPriority, LIVE_ACTIONS } from '@toolblocks/protocol'
import type { Field, Place } from './read-fields.ts'

type FieldTable = Readonly<Record<string, Field>>

/** A field that is read by whoever reads the object. */
const own: Field = { kind: 'own' }
/** An object of which no field is known, such as `_meta`. */
const anyObject: Field = { kind: 'object' }
const string: Field = {
  kind: 'value',
  expected: 'string',
  is: (value) => typeof value === 'string',
}
const number: Field = {
  kind: 'value',
  expected: 'number',
  is: (value) => Number.isFinite(value),
}

export const resultPlace = place('', 1, { content: own, isError: own, _meta: anyObject })

export const toolDefinitionPlace = place('', 1, {
  name: own,
  title: string,
  summary: string,
  description: string,
  examples: string,
  inputSchema: own,
  outputSchema: { kind: 'value', expected: 'JSON Schema', is: isJsonSchema },
  annotations: anyObject,
  icons: { kind: 'value', expected: 'array', is: Array.isArray },
  _meta: anyObject,
})

export const toolDescriptionPlace = place('', 1, {
  name: own,
  title: string,
  summary: string,
  description: string,
  examples: string,
  inputSchema: { kind: 'value', expected: 'JSON Schema', is: isJsonSchema },
  outputSchema: { kind: 'value', expected: 'JSON Schema', is: isJsonSchema },
  annotations: anyObject,
  stateful: { kind: 'value', expected: 'boolean', is: (value) => typeof value === 'boolean' },
  actions: { kind: 'value', expected: `list of ${LIVE_ACTIONS.join(', ')}`, is: areActions },
})

function areActions(value: unknown): boolean {
  const actions: readonly unknown[] = LIVE_ACTIONS
  return (
    Array.isArray(value) && value.includes('spawn') && value.every((each) => actions.includes(each))
  )
}

export const textPlace = blockPlace({ text: own, mimeType: string })

export const mediaPlace = blockPlace({ data: own, mimeType: own })

export const embeddedResourcePlace = blockPlace({ resource: own, formatted: string })

export const resourcePlace = place('/resource', 4, {
  uri: own,
  text: own,
  blob: own,
  formatted: string,
  mimeType: string,
  name: string,
  title: string,
  description: string,
  annotations: annotations('/resource/annotations', 5),
  _meta: anyObject,
})

export const linkPlace = blockPlace({
  uri: own,
  name: own,
  title: string,
  description: string,
  mimeType: string,
  size: number,
})

export const questionBlockPlace = blockPlace({ question: own })

export const questionPlace = place('/question', 4, { id: own, text: own, url: string })

/** A block's fields are enclosed by the result, its `content` and the block. */
function blockPlace(table: FieldTable): Place {
  const everyBlock = { type: own, annotations: annotations('/annotations', 4), _meta: anyObject }
  return place('', 3, { ...everyBlock, ...table })
}

function annotations(at: string, depth: number): Field {
  const fields: FieldTable = {
    audience: { kind: 'value', expected: 'array of "user" and "assistant"', is: isAudience },
    priority: { kind: 'value', expected: 'number from 0 to 1', is: isPriority },
    lastModified: string,
  }
  return { kind: 'object', place: place(at, depth, fields) }
}

function place(at: string, depth: number, table: FieldTable): Place {
  return { fields: new Map(Object.entries(table)), at, depth }
}
