import { isPaddedBase64 } from '#is-padded-base64'
import { paddingLength } from './padding-length.ts'

/** The base64 of a text. */
export interface RepairedBase64 {
  /** As in RFC 4648 section 4, padded. */
  base64: string
  /** The repairs, for a person; empty if the text is its base64. */
  repairs: readonly string[]
  /** The type in a `data:` URI around it. */
  mimeType?: string
}

const MAX_HEADER_LENGTH = 1024

/**
 * Repairs base64 whose meaning is certain: white space, missing padding, the URL alphabet, unused bits, a `data:` URI around it. Returns
 * `undefined` for anything else.
 */
export function repairBase64(text: string): RepairedBase64 | undefined {
  if (isBase64(text)) return { base64: text, repairs: [] }
  const repairs: string[] = []
  const uri = splitDataUri(text)
  if (uri) repairs.push('extracted from a data: URI')
  let base64 = uri?.data ?? text
  if (/[\t\n\f\r ]/.test(base64)) {
    base64 = base64.replaceAll(/[\t\n\f\r ]+/g, '')
    repairs.push('white space removed')
  }
  if (/[-_]/.test(base64) && !/[+/]/.test(base64)) {
    base64 = base64.replaceAll('-', '+').replaceAll('_', '/')
    repairs.push('URL alphabet replaced')
  }
  if (base64.length % 4 > 1 && !base64.endsWith('=')) {
    base64 = base64.padEnd(base64.length + 4 - (base64.length % 4), '=')
    repairs.push('padding added')
  }
  const canonical = clearSpareBits(base64)
  if (canonical !== base64) repairs.push('unused bits cleared')
  base64 = canonical
  if (!isBase64(base64)) return undefined
  return { base64, repairs, ...(uri?.mimeType && { mimeType: uri.mimeType }) }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Clears the unused bits before the padding. Some encoders set them, and decoders ignore them. */
function clearSpareBits(base64: string): string {
  const [padding = ''] = /={1,2}$/.exec(base64.slice(-2)) ?? []
  if (padding === '') return base64
  const index = base64.length - padding.length - 1
  const bits = ALPHABET.indexOf(base64.charAt(index))
  if (bits === -1) return base64
  const used = padding === '==' ? bits & 0b11_0000 : bits & 0b11_1100
  return `${base64.slice(0, index)}${ALPHABET.charAt(used)}${padding}`
}

function splitDataUri(text: string): { data: string; mimeType: string } | undefined {
  const comma = text.slice(0, MAX_HEADER_LENGTH).indexOf(',')
  const [type = '', ...parameters] = text.slice(0, Math.max(comma, 0)).trimStart().split(';')
  const isBase64Uri = /^data:/i.test(type) && parameters.at(-1)?.trim().toLowerCase() === 'base64'
  if (!isBase64Uri) return undefined
  return { data: text.slice(comma + 1), mimeType: type.slice('data:'.length) }
}

/** Whether a text is base64 exactly as in RFC 4648 section 4: standard alphabet, padded, no white space, unused bits zero. */
function isBase64(text: string): boolean {
  return hasCleanEnd(text) && isPaddedBase64(text)
}

/** With padding, the unused bits of the last character must be zero. */
function hasCleanEnd(text: string): boolean {
  switch (paddingLength(text)) {
    case 2:
      return 'AQgw'.includes(text.charAt(text.length - 3))
    case 1:
      return 'AEIMQUYcgkosw048'.includes(text.charAt(text.length - 2))
    default:
      return true
  }
}
