import type { Problem } from '@toolblocks/protocol'
import type { SchemaLimits } from '../limits.ts'
import { extendPointer, resolvePointer } from './json-pointer.ts'
import { isObject, subschemasOf, type Subschema } from './subschemas.ts'

/** How many subschemas there are once every `$ref` is replaced by its target, or why that cannot be said. */
export type ExpandedReferences =
  | { ok: true; subschemas: number }
  | { ok: false; problems: readonly Problem[] }

/** How many schemas may stand inside each other, counted through references. */
const MAX_CHAIN = 128

/** Adds up the cost of every schema from its parts, each counted once per use, so 2ⁿ references cost n steps. */
export function expandReferences(schema: unknown, limits: SchemaLimits): ExpandedReferences {
  const costs = new Map<unknown, number>()
  const open = new Set<unknown>()

  function costOf(subschema: Subschema, depth: number): number {
    const { schema: node, path } = subschema
    if (!isObject(node)) return 1
    const known = costs.get(node)
    if (known !== undefined) return known
    if (open.has(node)) throw new ReferenceProblem(path, 'the schema refers to itself')
    if (depth > MAX_CHAIN)
      throw new ReferenceProblem(path, `the schema chains more than ${MAX_CHAIN} references`)
    open.add(node)
    const parts = [...subschemasOf(subschema), ...targetOf(subschema, schema)]
    const cost = parts.reduce((sum, part) => sum + costOf(part, depth + 1), 1)
    if (cost > limits.expandedSubschemas)
      throw new ReferenceProblem(
        path,
        `the schema grows past ${limits.expandedSubschemas} subschemas through "$ref"`,
      )
    open.delete(node)
    costs.set(node, cost)
    return cost
  }

  try {
    return { ok: true, subschemas: costOf({ schema, path: '' }, 0) }
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error
    const { path, message } = error
    return { ok: false, problems: [{ path, message, code: 'schema-reference' }] }
  }
}

class ReferenceProblem extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

function targetOf({ schema, path }: Subschema, root: unknown): Subschema[] {
  if (!isObject(schema) || typeof schema['$ref'] !== 'string') return []
  const pointer = decodePointer(schema['$ref'].slice(1))
  const target = pointer === undefined ? undefined : resolvePointer(root, pointer)
  if (target !== undefined && pointer !== undefined) return [{ schema: target, path: pointer }]
  throw new ReferenceProblem(
    extendPointer(path, '$ref'),
    `the schema refers to ${JSON.stringify(schema['$ref'])}, which it does not contain`,
  )
}

function decodePointer(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}
