import {
  appendPointer,
  followReference,
  isLocalReference,
  isJsonObject,
} from '@toolblocks/protocol'
import { subschemasInPlace, type Subschema } from './subschemas.ts'
import type { SchemaProblem } from '../problems/schema-problem.ts'

/** How many schemas may stand inside each other for the same value, counted through references. */
const MAX_CHAIN = 128

/**
 * The problems of references that are followed for one and the same value: one that leads back to its own schema never
 * ends, and 2ⁿ of them are n short lines. Each schema is added up from its parts once, so that takes n steps. A
 * reference that leads back through items or properties ends with the value.
 */
export function lintReferences(subschemas: readonly Subschema[], limit: number): SchemaProblem[] {
  const root = subschemas[0]?.schema
  const counts = new Map<unknown, number>()

  function countOf(subschema: Subschema, depth: number): number {
    const { schema: node, path } = subschema
    const known = counts.get(node)
    if (known === OPEN) throw new ReferenceProblem(path, 'the schema refers to itself')
    if (known !== undefined) return known
    if (depth > MAX_CHAIN)
      throw new ReferenceProblem(path, `the schema chains more than ${MAX_CHAIN} references`)
    counts.set(node, OPEN)
    const parts = [...subschemasInPlace(subschema), ...targetOf(subschema, root)]
    const count = parts.reduce((sum, part) => sum + countOf(part, depth + 1), 1)
    if (count > limit)
      throw new ReferenceProblem(path, `the schema grows past ${limit} subschemas through "$ref"`)
    if (isJsonObject(node)) counts.set(node, count)
    else counts.delete(node)
    return count
  }

  try {
    for (const subschema of subschemas) countOf(subschema, 0)
    return []
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error
    const { path, message } = error
    return [{ path, message, code: 'schema-reference' }]
  }
}

/** A schema whose parts are being counted. */
const OPEN = -1

class ReferenceProblem extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

function targetOf({ schema, path }: Subschema, root: unknown): Subschema[] {
  if (!isJsonObject(schema) || !isLocalReference(schema['$ref'])) return []
  const target = followReference(root, schema['$ref'])
  if (typeof target?.schema === 'boolean' || isJsonObject(target?.schema)) return [target]
  throw new ReferenceProblem(
    appendPointer(path, '$ref'),
    `the schema refers to ${JSON.stringify(schema['$ref'])}, which it does not contain`,
  )
}
