import type { TSchema } from 'typebox'
import { isString } from '../json/json.ts'

/**
 * Writes a schema as a JSON Schema document (draft 2020-12) that stands alone: with `$schema`, `$id` and `title`, and
 * with what it defines inside at its top.
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

/** Moves what a schema defines inside into `defined`, and points its references there. */
function standAlone(schema: object, defined: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(schema, (keyword, value: unknown) => {
    if (keyword === '$ref' && isString(value)) return `#/$defs/${value}`
    if (keyword === '$defs') Object.assign(defined, value)
    return keyword === '$defs' || keyword === '$id' ? undefined : value
  })
  return JSON.parse(text)
}

/** Gives the name of a schema's file without its ending: `ToolResult` is in `tool-result`. */
export function fileName(title: string): string {
  return title.replaceAll(/(?<=.)[A-Z]/g, '-$&').toLowerCase()
}
