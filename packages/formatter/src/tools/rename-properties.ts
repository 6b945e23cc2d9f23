import {
  appendPointer,
  field,
  isJsonObject,
  isLocalReference,
  type JsonObject,
  mapSchema,
  pointerSteps,
  SCHEMA_MAPS,
} from '@toolblocks/protocol'
import type { NameMap } from './name-map.ts'

/** Keywords whose values have a name of a property each. */
const KEYED = ['properties', 'dependentRequired', 'dependentSchemas', 'dependencies'] as const

/** Every property that a schema names, at any depth, with its place. */
export function propertiesIn(schema: JsonObject): readonly { name: string; path: string }[] {
  const found: { name: string; path: string }[] = []
  mapSchema(schema, (part, path) => {
    const properties = field(part, 'properties')
    if (isJsonObject(properties))
      for (const name of Object.keys(properties))
        found.push({ name, path: appendPointer(`${path}/properties`, name) })
    return part
  })
  return found
}

/** The same schema with its properties called otherwise, wherever it names them; or with those of its root alone. */
export function renameProperties(
  schema: JsonObject,
  { to }: NameMap,
  { isDeep }: { isDeep: boolean },
): JsonObject {
  return mapSchema(schema, (part, path) => {
    const renamed: Record<string, unknown> = { ...part }
    const reference = field(part, '$ref')
    if (isLocalReference(reference)) renamed['$ref'] = renameSteps(reference, to, { isDeep })
    if (path !== '' && !isDeep) return renamed
    for (const keyword of KEYED) {
      const given = field(part, keyword)
      if (isJsonObject(given))
        renamed[keyword] = Object.fromEntries(
          Object.entries(given).map(([name, value]) => [to(name), renameAll(value, to)]),
        )
    }
    if (Object.hasOwn(part, 'required')) renamed['required'] = renameAll(part['required'], to)
    return renamed
  })
}

function renameAll(names: unknown, to: NameMap['to']): unknown {
  if (!Array.isArray(names)) return names
  return names.map((name: unknown) => (typeof name === 'string' ? to(name) : name))
}

/** A name of a property stands behind `properties`, unless that is a name itself. */
function renameSteps(
  reference: string,
  to: NameMap['to'],
  { isDeep }: { isDeep: boolean },
): string {
  let before = ''
  const steps = reference.split('/').map((step, index) => {
    const keyword = before
    before = SCHEMA_MAPS.has(before) ? '' : step
    if (keyword !== 'properties' || (index > 2 && !isDeep)) return step
    const name = readStep(step)
    return to(name) === name ? step : appendPointer('', to(name)).slice(1)
  })
  return steps.join('/')
}

function readStep(step: string): string {
  try {
    return pointerSteps(`/${decodeURIComponent(step)}`).join('/')
  } catch {
    return step
  }
}
