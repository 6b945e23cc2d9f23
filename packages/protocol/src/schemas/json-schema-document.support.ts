import type { TSchema } from 'typebox'
import { isString } from '../json/json.ts'

/**
 * Returns a schema as a self-contained JSON Schema document (draft 2020-12): with `$schema`, `$id` and `title`, and with its inner definitions at
 * the top.
 */
export function jsonSchemaDocument(title: string, schema: TSchema): Record<string, unknown> {
  const defined: Record<string, unknown> = {}
  const body = standAlone(schema, defined)
  const $defs = standAlone(defined, {})
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:toolblocks:protocol:${fileName(title)}`,
    title,
    ...body,
    ...(Object.keys($defs).length > 0 && { $defs }),
  }
}

/** Moves the inner definitions of a schema into `defined`, and corrects its references. */
function standAlone(schema: object, defined: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(schema, (keyword, value: unknown) => {
    if (keyword === '$ref' && isString(value)) return `#/$defs/${value}`
    if (keyword === '$defs') Object.assign(defined, value)
    return keyword === '$defs' || keyword === '$id' ? undefined : value
  })
  return JSON.parse(text)
}

/** Returns the name of a schema's file without its extension: `ToolResult` is in `tool-result`. */
export function fileName(title: string): string {
  return title.replaceAll(/(?<=.)[A-Z]/g, '-$&').toLowerCase()
}
