import { BIT, type FormBits, type SecretSpan } from './secret-forms.ts'

/** A value that is encoded as a whole, in one position of its encoding. */
export interface EncodedSecret {
  form: FormBits
  /** Matches the characters that only the value determines. */
  pattern: RegExp
  /** What replaces them. */
  filled: string
  /** The bits of the value in the characters before and after them, which belong to its neighbours too. */
  before?: SharedCharacter | undefined
  after?: SharedCharacter | undefined
}

interface SharedCharacter {
  /** Which of the six bits belong to the value. */
  mask: number
  /** These bits of the value, and of what replaces it. */
  value: number
  filled: number
}

/** The characters of base64 by their bits. The last two are those of addresses. */
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'

/** Encodes a value as a whole: in hexadecimal, and in base64 with no, one or two bytes of others before it. */
export function encodeSecret(value: Buffer, fill: string): readonly EncodedSecret[] {
  const bytes = Buffer.from(fill.repeat(value.length))
  const [hex, filled] = [value.toString('hex'), bytes.toString('hex')]
  const writings = [...new Set([hex, hex.toUpperCase()])]
  return [
    ...writings.map((text) => ({
      form: BIT.hex,
      pattern: new RegExp(text, 'g'),
      filled: text === hex ? filled : filled.toUpperCase(),
    })),
    ...[0, 1, 2].map((shift) => encodeBase64(value, bytes, shift)),
  ]
}

function encodeBase64(value: Buffer, fill: Buffer, shift: number): EncodedSecret {
  const from = shift * 8
  const to = from + value.length * 8
  const [first, last] = [Math.ceil(from / 6), Math.floor(to / 6)]
  const encode = (bytes: Buffer): string =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '')
  const [coded, filled] = [encode(value), encode(fill)]
  const share = (index: number, mask: number): SharedCharacter => ({
    mask,
    value: getBits(coded[index] ?? '') & mask,
    filled: getBits(filled[index] ?? '') & mask,
  })
  return {
    form: BIT.base64,
    pattern: new RegExp(coded.slice(first, last).replaceAll(/[+/]/g, toPattern), 'g'),
    filled: filled.slice(first, last),
    // The low bits of the character before belong to the value, and the high bits of the one after.
    before: from % 6 === 0 ? undefined : share(first - 1, (1 << (6 - (from % 6))) - 1),
    after: to % 6 === 0 ? undefined : share(last, 0x3f & ~((1 << (6 - (to % 6))) - 1)),
  }
}

/** Both alphabets, and the escapes of JSON, also of JSON in JSON. */
const toPattern = (char: string): string =>
  char === '+' ? '(?:[+-]|\\\\{1,2}u002[bB])' : '(?:[/_]|\\\\{1,3}/|\\\\{1,2}u002[fF])'

/** Returns the bits of a character of base64, which may be escaped. */
function getBits(written: string): number {
  if (/u002b$/i.test(written)) return 62
  if (/u002f$/i.test(written)) return 63
  const index = BASE64.indexOf(written.slice(-1))
  return index < 64 ? index : index - 2
}

/** Finds a value that is encoded as a whole. Places may overlap. */
export function findEncoded(
  text: string,
  encodings: readonly EncodedSecret[],
): readonly SecretSpan[] {
  const places: SecretSpan[] = []
  for (const encoded of encodings) {
    const { pattern } = encoded
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const secretPlace = toPlace(text, match.index, pattern.lastIndex, encoded)
      if (secretPlace) places.push(secretPlace)
      else pattern.lastIndex = match.index + 1
    }
  }
  return places
}

function toPlace(
  text: string,
  from: number,
  behind: number,
  { form, filled, before, after }: EncodedSecret,
): SecretSpan | undefined {
  const [first, last] = [before && readBefore(text, from), after && readAfter(text, behind)]
  // A neighbour with other bits belongs to another value, such as token-2 beside token-1.
  if ((before && !isOwn(first, before)) || (after && !isOwn(last, after))) return undefined
  return {
    start: from - (first?.length ?? 0),
    end: behind + (last?.length ?? 0),
    forms: form,
    encoded: fillShared(first, before) + filled + fillShared(last, after),
  }
}

/** The most characters of an escaped one. */
const ESCAPED = 7

function readBefore(text: string, position: number): string | undefined {
  const before = text.slice(Math.max(0, position - ESCAPED), position)
  return /(?:\\{1,3}\/|\\{1,2}u002[bf]|[\w+/-])$/i.exec(before)?.[0]
}

const CHARACTER = /\\{1,3}\/|\\{1,2}u002[bf]|[\w+/-]/iy

function readAfter(text: string, position: number): string | undefined {
  CHARACTER.lastIndex = position
  return CHARACTER.exec(text)?.[0]
}

function isOwn(written: string | undefined, { mask, value }: SharedCharacter): boolean {
  return written !== undefined && (getBits(written) & mask) === value
}

/**
 * Returns a character of base64 without the bits of the value. The bits of the bytes that replace a value (`FILLS`) never make one of the characters
 * in which the two alphabets differ.
 */
function fillShared(written: string | undefined, shared: SharedCharacter | undefined): string {
  if (!shared || written === undefined) return ''
  return BASE64[(getBits(written) & ~shared.mask) | shared.filled] ?? ''
}
