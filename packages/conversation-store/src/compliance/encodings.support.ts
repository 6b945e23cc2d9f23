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
]

function decodeForm(text: string): string {
  return text.replaceAll(
    /[^\n]+/g,
    (line) => new URLSearchParams(`=${line.replaceAll('&', '%26')}`).get('') ?? '',
  )
}

/** Returns every text that a decoder produces from a text, or from the JSON in it. */
export function decodings(text: string): readonly string[] {
  const json = ENCODINGS.find(({ name }) => name === 'JSON')
  const inside = json?.decode(text) ?? []
  return [text, ...inside].flatMap((each) => ENCODINGS.flatMap(({ decode }) => decode(each)))
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

/** Writes a secret in one encoding, and that once in JSON or not. */
export const anyForm: fc.Arbitrary<(secret: string) => string> = fc
  .record({
    encoding: fc.constantFrom(...ENCODINGS),
    seed: fc.nat({ max: 2 ** 30 - 1 }),
    isInJson: fc.boolean(),
  })
  .map(({ encoding, seed, isInJson }) => {
    const write = (secret: string): string => {
      const written = encoding.encode(secret, seed)
      return isInJson ? JSON.stringify(written).slice(1, -1) : written
    }
    return Object.assign(write, {
      toString: () => `${encoding.name} ${seed}${isInJson ? ' in JSON' : ''}`,
    })
  })

/** Text that no decoder changes. */
export const anySurrounding = fc
  .array(fc.constantFrom('Lorem ', 'ipsum, ', '(dolor) ', 'sit? '), { maxLength: 5 })
  .map((parts) => parts.join(''))
