import { appendPointer, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { RequestChange } from '../turns/request-change.ts'
import { fitsRule, type NameRule } from './claim-names.ts'
import { createNameMap } from './name-map.ts'
import { renameArguments } from './rename-arguments.ts'
import { propertiesIn, renameProperties } from './rename-properties.ts'

/** Which names of properties a provider takes. */
export interface PropertyRule extends NameRule {
  /** Whether names below the root are held to it, too. Default: those of the root are. */
  isDeep?: boolean
}

/** Arguments in the names that a provider was told, and back. */
export interface ParameterNames {
  toProvider(given: JsonObject): JsonObject
  fromProvider(given: JsonObject): JsonObject
}

/** A schema whose properties have names that a provider takes. */
export interface NamedSchema {
  schema: JsonObject
  /** Where some are called otherwise. */
  parameters?: ParameterNames
  /** What a property of the root is called. */
  nameOf(name: string): string
  changes: readonly RequestChange[]
}

/** Calls properties as a rule takes them: the same name is the same wherever the schema has it, and no two become one. */
export function nameProperties(
  schema: JsonObject & { properties: JsonObject },
  rule: PropertyRule,
  path: string,
): NamedSchema {
  const isDeep = rule.isDeep ?? false
  const checked = isDeep ? propertiesIn(schema) : atRoot(schema.properties)
  if (checked.every(({ name }) => fitsRule(name, rule)))
    return { schema, nameOf: same, changes: [] }
  const names = createNameMap(
    checked.map(({ name }) => name),
    rule,
  )
  const known = isDeep ? schema : withoutInside(schema)
  const renamed = (given: JsonObject, nameOf: (key: string) => string, to: typeof nameOf) => {
    const value = renameArguments(given, known, { nameOf, rename: to })
    return isJsonObject(value) ? value : given
  }
  return {
    schema: renameProperties(schema, names, { isDeep }),
    nameOf: names.to,
    parameters: {
      toProvider: (given) => renamed(given, same, names.to),
      fromProvider: (given) => renamed(given, names.from, same),
    },
    changes: checked
      .filter(({ name }) => names.to(name) !== name)
      .map(({ name, path: at }) => ({
        path: path + at,
        code: 'parameter-renamed',
        message: `called ${names.to(name)} for this provider`,
      })),
  }
}

function same(name: string): string {
  return name
}

function atRoot(properties: JsonObject): readonly { name: string; path: string }[] {
  return Object.keys(properties).map((name) => ({ name, path: appendPointer('/properties', name) }))
}

/** What is below the root keeps its names. */
function withoutInside({ properties }: { properties: JsonObject }): JsonObject {
  return { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, {}])) }
}
