import {
  type JsonSchema,
  type Problem,
  readResultValue,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { requireArguments } from '@toolblocks/protocol/internal'
import { compileSchema } from '@toolblocks/schema-check'

/** How a result matches the `outputSchema` of its tool. */
export type OutputFit =
  /** The structured content matches, or there is no schema. */
  | { kind: 'whole' }
  /** It is a semantic value whose `data` matches: the schema describes the data. */
  | { kind: 'data'; data: unknown }
  /** Neither matches, or it could not be checked. If `isSchema`, `problems` are those of the schema itself. */
  | { kind: 'unfit'; problems: readonly Problem[]; isSchema: boolean }

/** Checks structured content against an `outputSchema`, which may describe the `data` of a semantic value. */
export function fitOutputSchema(
  result: Pick<ToolResult, 'structuredContent'>,
  schema: JsonSchema,
): OutputFit {
  requireArguments('fitOutputSchema(result, schema)', [result, 'object'], [schema, 'anything'])
  const { structuredContent } = result
  const compiled = compileSchema(schema)
  if (!compiled.ok) return { kind: 'unfit', problems: compiled.problems, isSchema: true }
  const { problems } = compiled.check(structuredContent)
  if (problems.length === 0) return { kind: 'whole' }
  const semantic = readResultValue(structuredContent)
  if (semantic && compiled.check(semantic.data).problems.length === 0)
    return { kind: 'data', data: semantic.data }
  return { kind: 'unfit', problems, isSchema: false }
}

/** Whether MCP's SDKs accept an `outputSchema`: before MCP 2026-07-28, only that of an object. */
export function isObjectSchema(schema: JsonSchema): boolean {
  return isJsonObject(schema) && schema['type'] === 'object'
}
