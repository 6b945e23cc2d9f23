import { has, isJsonObject, isString, mayHave } from '../json/fields.ts'
import { type BlockFields, hasBlockFields } from './annotations.ts'

interface ResourceFields extends BlockFields {
  /** As it was said; its canonical form is in `ResultMetadata.resources`. */
  uri: string
  mimeType?: string
  name?: string
  title?: string
  description?: string
}

/** Identified content, as text or as base64 in `blob`: one of the two, never both. */
export type Resource =
  | (ResourceFields & { text: string; blob?: never })
  | (ResourceFields & { blob: string; text?: never })

/** Says whether a value is a `Resource`. What `blob` encodes and whether `uri` is one are not checked. */
export function isResource(value: unknown): value is Resource {
  return (
    isJsonObject(value) &&
    has(value, 'uri', isString) &&
    mayHave(value, 'mimeType', isString) &&
    mayHave(value, 'name', isString) &&
    mayHave(value, 'title', isString) &&
    mayHave(value, 'description', isString) &&
    mayHave(value, 'text', isString) &&
    mayHave(value, 'blob', isString) &&
    Object.hasOwn(value, 'text') !== Object.hasOwn(value, 'blob') &&
    hasBlockFields(value)
  )
}
