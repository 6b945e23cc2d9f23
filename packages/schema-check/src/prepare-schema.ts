import { type JsonSchema, followReference, isJsonObject } from '@toolblocks/protocol'
import type { UsableSchema } from './check-value.ts'
import {
  compileWithAjv,
  type Dialect,
  type RunCheck,
  type Thoroughness,
} from './compile-with-ajv.ts'
import { createStepCounter } from './cost/count-steps.ts'
import { ceilingOf, type WorkCeiling } from './cost/work-ceiling.ts'
import type { SchemaLimits } from './limits.ts'
import type { CollectedSubschemas } from './lint/collect-subschemas.ts'

/** Makes a schema that is known to be safe ready; it is compiled when the first value comes. */
export function prepareSchema(
  schema: JsonSchema,
  {
    subschemas: { applied },
    dialect,
    limits,
  }: { subschemas: CollectedSubschemas; dialect: Dialect; limits: SchemaLimits },
): UsableSchema {
  const compiled = new Map<Thoroughness, RunCheck>()
  const runFor = (thoroughness: Thoroughness): RunCheck => {
    const known = compiled.get(thoroughness)
    const run =
      known ?? compileWithAjv(schema, { dialect, thoroughness, subschemas: applied.length })
    compiled.set(thoroughness, run)
    return run
  }
  const countSteps = createStepCounter(schema, {
    resolve: (reference) => followReference(schema, reference)?.schema,
    keepsEvaluated: applied.some(
      ({ schema: part }) =>
        isJsonObject(part) && ('unevaluatedItems' in part || 'unevaluatedProperties' in part),
    ),
  })
  let known: { ceiling: WorkCeiling | undefined } | undefined
  const ceiling = (): WorkCeiling | undefined =>
    (known ??= { ceiling: ceilingOf(schema, applied) }).ceiling
  return { runFor, countSteps, ceiling, limits }
}
