import { languageForMimeType } from '@toolblocks/media-type'
import {
  type ContentBlock,
  type ImageValue,
  getText,
  type ToolResultValue,
} from '@toolblocks/protocol'
import { isWellKnownValue, type PreferredView } from '@toolblocks/protocol/internal'

/** A visible view. */
export type ShownView = Exclude<PreferredView, 'hidden'>

/** Returns the views to try in order: the tool's preferred one, else those of its MIME type and the shape of its data. */
export function getViews(value: ToolResultValue): readonly [ShownView, ...ShownView[]] {
  const preferred = value.display?.preferredView
  const inferred = inferView(value)
  // A hidden value that must be shown is shown as if the tool had no preference.
  return preferred === undefined || preferred === 'hidden' ? [inferred] : [preferred, inferred]
}

/** Returns the view for the MIME type of a value, else for the shape of its data. */
export function inferView({
  mimeType,
  data,
}: Pick<ToolResultValue, 'mimeType' | 'data'>): ShownView {
  if (mimeType !== undefined) {
    const byType = viewOfMimeType(mimeType)
    if (byType !== undefined) return byType
  }
  if (isTabular(data)) return 'table'
  if (typeof data === 'string') return 'text'
  return 'raw'
}

function viewOfMimeType(mimeType: string): ShownView | undefined {
  const [type = ''] = mimeType.toLowerCase().split(';')
  const essence = type.trim()
  if (essence === 'text/markdown') return 'markdown'
  if (essence === 'text/x-diff' || essence === 'text/x-patch') return 'diff'
  if (essence === 'application/json' || essence.endsWith('+json')) return 'tree'
  if (essence.startsWith('image/')) return 'image'
  if (!essence.startsWith('text/')) return undefined
  return essence === 'text/plain' || languageForMimeType(essence) === undefined ? 'text' : 'code'
}

/** Returns the own field of an object; `undefined` for other values. */
export function field(data: unknown, name: string): unknown {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, name)) return undefined
  return Reflect.get(data, name)
}

/** Returns the text of data: itself, its `content` or `text`, or the `modified` of a diff. */
export function textIn(data: unknown): string | undefined {
  const candidates = [data, field(data, 'content'), field(data, 'text'), field(data, 'modified')]
  return candidates.find((candidate) => typeof candidate === 'string')
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Whether a text has only base64 characters. */
export function isBase64(text: string): boolean {
  return BASE64.test(text)
}

/** Returns a value as JSON; `undefined` for cycles and big integers, which only an in-process tool can return. */
export function toJson(value: unknown, indentation = 0): string | undefined {
  try {
    const json: unknown = JSON.stringify(value, null, indentation)
    return typeof json === 'string' ? json : undefined
  } catch {
    return undefined
  }
}

/** Returns the image in a value of any kind: data of an `image`, an address, or base64 with an image `mimeType`. */
export function imageIn({ data, mimeType }: ToolResultValue): ImageValue | undefined {
  const image = { kind: 'image', data: getParts(data, mimeType), mimeType: mimeType ?? 'image' }
  return isWellKnownValue(image) && image.kind === 'image' ? image : undefined
}

function getParts(data: unknown, mimeType: string | undefined): unknown {
  if (typeof data !== 'string') return data
  if (/^(?:https?|data):/i.test(data)) return { url: data }
  const isPicture = mimeType !== undefined && /^image\//i.test(mimeType)
  return isPicture && data !== '' && isBase64(data) ? { base64: data } : data
}

/** Whether a block already shows a text. */
export function isToldBy(content: readonly ContentBlock[], text: string): boolean {
  const trimmed = text.trimEnd()
  return content.some((block) => getText(block)?.trimEnd() === trimmed)
}

/** Whether data is rows: a non-empty list of objects that share a field, without nested fields. */
export function isTabular(data: unknown): data is readonly Record<string, unknown>[] {
  if (!Array.isArray(data)) return false
  const rows: readonly unknown[] = data
  if (!rows.every(isRow)) return false
  const [first = {}] = rows
  return Object.keys(first).some((key) => rows.every((row) => Object.hasOwn(row, key)))
}

function isRow(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((inner) => inner === null || typeof inner !== 'object')
  )
}
