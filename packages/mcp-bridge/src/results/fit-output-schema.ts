import {
  type JsonSchema,
  type Problem,
  readResultValue,
  type ToolResult,
} from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'
import { compileSchema } from '@toolblocks/schema-check'

/** What a result has to do with the `outputSchema` of its tool. */
export type OutputFit =
  /** The structured content fits, or there is nothing to fit. */
  | { kind: 'whole' }
  /** It is a semantic value, and its `data` fits: the schema describes the data. */
  | { kind: 'data'; data: unknown }
  /** Neither could be shown to fit. `problems` are those of the schema itself where `isSchema`. */
  | { kind: 'unfit'; problems: readonly Problem[]; isSchema: boolean }

/** Holds structured content against an `outputSchema`, which may describe the `data` of a semantic value. */
export function fitOutputSchema(
  { structuredContent }: Pick<ToolResult, 'structuredContent'>,
  schema: JsonSchema,
): OutputFit {
  const compiled = compileSchema(schema)
  if (!compiled.ok) return { kind: 'unfit', problems: compiled.problems, isSchema: true }
  const { problems } = compiled.check(structuredContent)
  if (problems.length === 0) return { kind: 'whole' }
  const semantic = readResultValue(structuredContent)
  if (semantic && compiled.check(semantic.data).problems.length === 0)
    return { kind: 'data', data: semantic.data }
  return { kind: 'unfit', problems, isSchema: false }
}

/** Whether MCP's SDKs take an `outputSchema`: before MCP 2026-07-28, only that of an object. */
export function isObjectSchema(schema: JsonSchema): boolean {
  return isJsonObject(schema) && schema['type'] === 'object'
}
