import { has, isJsonObject, isString, mayHave } from '../json/fields.ts'
import { type DisplayHints, isDisplayHints } from './display-hints.ts'
import { hasShapeOf, isWellKnownKind } from './well-known-shape.ts'
import type { WellKnownValue } from './well-known-value.ts'

/**
 * A result as data with a meaning, for showing to a person. It travels as `structuredContent`, with text
 * beside it for those who do not know it; a model gets the content blocks.
 */
export interface ToolResultValue {
  /** A well-known kind, or a tool's own such as `git.status`. */
  kind: string
  /** Of a shape that `kind` decides. */
  data: unknown
  /** One line that can stand for the value. */
  summary?: string
  /** What `data` holds, for example `text/markdown` or `image/png`. */
  mimeType?: string
  /** Hints; a renderer may ignore all of them. */
  display?: DisplayHints
}

/** What a `kind` looks like. */
export const KIND_PATTERN = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/

/** Says whether a text can be a `kind`: lower-case words of letters, digits and `_`, joined by dots. */
export function isValidKind(kind: string): boolean {
  return KIND_PATTERN.test(kind)
}

/** Says whether a value is a `ToolResultValue`; one of a well-known kind is only if its `data` has that kind's shape. */
export function isToolResultValue(value: unknown): value is ToolResultValue {
  return isEnvelope(value) && (!isWellKnownKind(value.kind) || hasShapeOf(value.kind, value.data))
}

/** Says whether a value is a `WellKnownValue`: its kind is well known and its `data` has that kind's shape. */
export function isWellKnownValue(value: unknown): value is WellKnownValue {
  return isEnvelope(value) && isWellKnownKind(value.kind) && hasShapeOf(value.kind, value.data)
}

function isEnvelope(value: unknown): value is ToolResultValue {
  return (
    isJsonObject(value) &&
    has(value, 'kind', (kind) => isString(kind) && isValidKind(kind)) &&
    Object.hasOwn(value, 'data') &&
    mayHave(value, 'summary', isString) &&
    mayHave(value, 'mimeType', isString) &&
    mayHave(value, 'display', isDisplayHints)
  )
}
