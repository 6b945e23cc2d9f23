import fc from 'fast-check'

// The code that encodes and decodes here shares nothing with the code under test.

/** How a text is encoded, and how a program that searches for the text would decode it. `seed` varies the choices of an encoder. */
interface Encoding {
  name: string
  encode: (text: string, seed: number) => string
  decode: (text: string) => readonly string[]
}

const bit = (seed: number, index: number): boolean => ((seed >> (index % 30)) & 1) === 1
const getHex = (code: number, seed: number): string =>
  bit(seed, 3) ? code.toString(16).toUpperCase() : code.toString(16)
/** Maps each character together with its combining marks, because no encoder writes only half of one. */
const chars = (text: string, map: (char: string, index: number) => string): string =>
  Array.from(text.match(/.\p{M}*/gsu) ?? [], map).join('')
const readUtf8 = (bytes: Buffer): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** Decodes every run of characters of an alphabet, starting at each of the run's first characters. */
function decodeRuns(
  text: string,
  run: RegExp,
  phases: number,
  decode: (run: string) => Buffer,
): string[] {
  const runs = text.match(run) ?? []
  return Array.from({ length: phases }, (_, phase) =>
    runs.map((each) => readUtf8(decode(each.slice(phase)))).join('\n'),
  )
}

const NAMES: Readonly<Record<string, string>> = {
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  '/': 'sol',
  '=': 'equals',
  '&': 'amp',
}

const ENCODINGS: readonly Encoding[] = [
  { name: 'as it is', encode: (text) => text, decode: (text) => [text] },
  {
    name: 'JSON',
    encode: (text, seed) => {
      const escape = (unit: string): string =>
        `\\u${getHex(unit.charCodeAt(0), seed).padStart(4, '0')}`
      return bit(seed, 0)
        ? JSON.stringify(text).slice(1, -1)
        : chars(text, (char, index) =>
            bit(seed, index) || char < ' ' || char === '"' || char === '\\'
              ? char.split('').map(escape).join('')
              : char,
          )
    },
    decode: (text) => [
      text.replaceAll(/\\(?:u([\da-f]{4})|(["\\/bfnrt]))/gi, (whole) =>
        JSON.parse(`"${whole.replace('\\U', '\\u')}"`),
      ),
    ],
  },
  {
    name: 'percent',
    encode: (text, seed) =>
      bit(seed, 0)
        ? encodeURIComponent(text)
        : [...Buffer.from(text)]
            .map((byte, index) =>
              bit(seed, index) && byte < 0x80 && !/[%+]/.test(String.fromCharCode(byte))
                ? String.fromCharCode(byte)
                : `%${getHex(byte, seed).padStart(2, '0')}`,
            )
            .join(''),
    decode: (text) => [
      readUtf8(
        Buffer.from(
          Buffer.from(text)
            .toString('latin1')
            .replaceAll(/%([\da-f]{2})/gi, (_, digits: string) =>
              String.fromCharCode(Number.parseInt(digits, 16)),
            ),
          'latin1',
        ),
      ),
    ],
  },
  {
    name: 'form',
    encode: (text) => new URLSearchParams([['', text]]).toString().slice(1),
    decode: (text) => [decodeForm(text)],
  },
  {
    name: 'HTML',
    encode: (text, seed) =>
      bit(seed, 0)
        ? text.replaceAll(/[&<>"/=]/g, (char) => `&${NAMES[char] ?? ''};`)
        : chars(text, (char, index) => {
            if (bit(seed, index) && char !== '&') return char
            const write = (code: number): string =>
              bit(seed, index + 1) ? `&#${code};` : `&#x${getHex(code, seed)};`
            return Array.from(char, (each) => write(each.codePointAt(0) ?? 0)).join('')
          }),
    decode: (text) => [
      Object.entries(NAMES)
        .reduce((read, [char, name]) => read.replaceAll(`&${name};`, char), text)
        .replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex?: string, decimal?: string) =>
          String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
        ),
    ],
  },
  {
    name: 'hexadecimal',
    encode: (text, seed) => {
      const hex = Buffer.from(text).toString('hex')
      return bit(seed, 0) ? hex.toUpperCase() : hex
    },
    decode: (text) => decodeRuns(text, /[\da-f]{8,}/gi, 2, (run) => Buffer.from(run, 'hex')),
  },
  {
    name: 'base64',
    encode: (text, seed) =>
      Buffer.from('.'.repeat(seed % 3) + text + '.'.repeat(seed % 2)).toString(
        bit(seed, 2) ? 'base64' : 'base64url',
      ),
    decode: (text) => decodeRuns(text, /[\w+/-]{8,}/g, 4, (run) => Buffer.from(run, 'base64')),
  },
  {
    name: 'base64 in lines',
    encode: (text) =>
      (
        Buffer.from(text)
          .toString('base64')
          .match(/.{1,8}/g) ?? []
      ).join('\n'),
    decode: (text) => [text.replaceAll('\n', '')],
  },
  {
    name: 'NFC',
    encode: (text) => text.normalize('NFC'),
    decode: (text) => [text.normalize('NFC')],
  },
  {
    name: 'NFD',
    encode: (text) => text.normalize('NFD'),
    decode: (text) => [text.normalize('NFD')],
  },
  {
    name: 'colours',
    encode: (text, seed) =>
      chars(text, (char, index) =>
        bit(seed, index) && index > 0 ? `\u001b[3${index % 8}m${char}` : char,
      ),
    // oxlint-disable-next-line no-control-regex -- it is what a program would take out
    decode: (text) => [text.replaceAll(/\u001b\[[\d;]*m/g, '')],
  },
  {
    name: 'lines',
    encode: (text, seed) =>
      chars(text, (char, index) => (bit(seed, index) && index > 0 ? `\r\n${char}` : char)),
    decode: (text) => [text.replaceAll(/\r?\n/g, '')],
  },
]

function decodeForm(text: string): string {
  return text.replaceAll(
    /[^\n]+/g,
    (line) => new URLSearchParams(`=${line.replaceAll('&', '%26')}`).get('') ?? '',
  )
}

/** Returns every text that up to two decoders, one after the other, produce from a text. */
export function decodings(text: string): readonly string[] {
  const once = ENCODINGS.flatMap(({ decode }) => decode(text))
  return [...once, ...once.flatMap((each) => ENCODINGS.flatMap(({ decode }) => decode(each)))]
}

/** Letters, characters with a meaning in encodings, and characters of several bytes, including those that have two forms. */
export const anySecret = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...'abcdefXYZ0123456789'.split('')) },
      { weight: 2, arbitrary: fc.constantFrom(...'"\\/%&;+=<> ~#-_:'.split('')) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('é', 'e\u0301', 'ß', '한', '日', '😀', 'ậ', 'q\u0307\u0323'),
      },
    ),
    { minLength: 8, maxLength: 24 },
  )
  .map((parts) => parts.join(''))
  // A text that begins with a combining mark would form one character with the text before it.
  .filter((secret) => new Set(secret).size > 4 && secret.trim() === secret)

/** Writes a secret in two encodings, one inside the other. */
export const anyChain: fc.Arbitrary<(secret: string) => string> = fc
  .record({
    inner: fc.constantFrom(...ENCODINGS),
    outer: fc.constantFrom(...ENCODINGS),
    seed: fc.nat({ max: 2 ** 30 - 1 }),
    seed2: fc.nat({ max: 2 ** 30 - 1 }),
  })
  .map((chain) => {
    const { inner, outer, seed, seed2 } = chain
    const write = (secret: string): string => outer.encode(inner.encode(secret, seed), seed2)
    return Object.assign(write, {
      toString: () => `${inner.name} ${seed} in ${outer.name} ${seed2}`,
    })
  })
/** Text that no decoder changes. */
export const anySurrounding = fc
  .array(fc.constantFrom('Lorem ', 'ipsum, ', '(dolor) ', 'sit? '), { maxLength: 5 })
  .map((words) => words.join(''))

/** Returns the forms in which a value may appear in a text that is searched: composed, decomposed, and with line breaks removed. */
export function getForms(secret: string): readonly string[] {
  const forms = [secret, secret.normalize('NFC'), secret.normalize('NFD')]
  return [...new Set([...forms, ...forms.map((form) => form.replaceAll(/\s+/g, ''))])]
}
