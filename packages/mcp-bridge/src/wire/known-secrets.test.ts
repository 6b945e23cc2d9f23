import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  maskBody,
  maskJson,
  maskMessage,
  maskText,
  rememberAddress,
  rememberHeaders,
  rememberSecrets,
} from './known-secrets.ts'

/** Random texts in whose texts nothing occurs by chance. */
const TOKEN = 'S3cret-t0ken_of~the/first+server=='
const OTHER = 'Another1-t0ken_of~the/second+server'

let last = 0
/** The origin of the server of a test: secrets are remembered for the whole file. */
let origin = ''
beforeEach(() => {
  last += 1
  origin = `https://server-${last}.example`
})

test('a secret that was remembered is replaced in every text, whoever sent it', () => {
  rememberSecrets(origin, [TOKEN, OTHER])
  const message = `denied: Bearer ${TOKEN}, ${OTHER}`
  expect(maskText(message, origin)).toBe('denied: Bearer ***, ***')
  expect(maskText(message, 'https://evil.example')).toBe('denied: Bearer ***, ***')
  expect(maskText(message)).toBe('denied: Bearer ***, ***')
})

test('a secret that may be a word is replaced only in what its own server says', () => {
  rememberSecrets(origin, ['password'])
  expect(maskText('the password is wrong', origin)).toBe('the *** is wrong')
  expect(maskText('the password is wrong', 'https://evil.example')).toBe('the password is wrong')
  expect(maskText('the password is wrong')).toBe('the password is wrong')
})

describe('a token that a hostile server has issued, equal to the name of a tool of another server', () => {
  const NAME = 'list_repositories_of_team_2'
  const list = { id: 1, result: { tools: [{ name: NAME, description: `Use ${NAME}.` }] } }

  test.for([
    ['as a token', (): void => rememberSecrets(origin, [NAME], { isIssued: true })],
    ['in an address', (): void => rememberAddress(new URL(`${origin}/?token=${NAME}`))],
  ] as const)('stays in the definitions of the other server: %s', ([, issue]) => {
    issue()
    expect(maskMessage(list, 'https://honest.example')).toBe(list)
    expect(maskMessage([list])).toEqual([list])
    const hello = { id: 1, result: { protocolVersion: '2025-11-25', serverInfo: { name: NAME } } }
    expect(maskMessage(hello)).toBe(hello)
  })

  test('is replaced in what its own server defines, and in what others answer', () => {
    rememberSecrets(origin, [NAME], { isIssued: true })
    const masked = { id: 1, result: { tools: [{ name: '***', description: 'Use ***.' }] } }
    expect(maskMessage(list, origin)).toEqual(masked)
    expect(maskMessage({ id: 1, result: { content: [{ text: NAME }] } })).toEqual({
      id: 1,
      result: { content: [{ text: '***' }] },
    })
    expect(maskMessage({ id: 1, result: { tools: [], content: [{ text: NAME }] } })).toEqual({
      id: 1,
      result: { tools: [], content: [{ text: '***' }] },
    })
    expect(maskMessage({ method: 'notifications/message', params: { tools: NAME } })).toEqual({
      method: 'notifications/message',
      params: { tools: '***' },
    })
  })

  test('is replaced everywhere if the user has configured it too', () => {
    rememberSecrets(origin, [`${NAME}b`])
    rememberSecrets(origin, [`${NAME}b`], { isIssued: true })
    expect(maskMessage({ id: 1, result: { tools: [{ name: `${NAME}b` }] } })).toEqual({
      id: 1,
      result: { tools: [{ name: '***' }] },
    })
  })
})

test('a secret of two servers is replaced in what both say', () => {
  const other = `${origin}:8443`
  rememberSecrets(origin, ['a word'])
  rememberSecrets(other, ['a word'])
  expect([maskText('a word', origin), maskText('a word', other)]).toEqual(['***', '***'])
})

test('a text of fewer than 4 characters is no secret', () => {
  rememberSecrets(origin, ['', 'abc', undefined])
  expect(maskText('abc', origin)).toBe('abc')
})

test.for([
  ['as it is', (text: string) => text],
  ['in an address', encodeURIComponent],
  [
    'in an address, in lower case',
    (text: string) => encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
  ],
  ['in a form', (text: string) => new URLSearchParams({ a: text }).toString()],
  ['in a string of JSON', (text: string) => JSON.stringify(text)],
] as const)('a secret is found %s', ([, write]) => {
  const secret = 'a "quoted" \\ secret\n with ~ all/of+it = é'
  rememberSecrets(origin, [secret])
  const text = write(secret)
  expect(maskText(`<p>${text}</p>`, origin)).not.toContain(text.slice(3, -1))
})

test.for(['\ud800 half a pair', 'half a pair \udfff'])(
  'the secret %j, which no address can contain, is replaced and hinders nothing',
  (secret) => {
    rememberSecrets(origin, [secret])
    expect(maskText(`said ${secret}.`, origin)).toBe('said ***.')
    expect(maskText('said nothing.')).toBe('said nothing.')
  },
)

test('secrets that overlap are replaced as one', () => {
  rememberSecrets(origin, ['abcdefgh', 'efghijkl', 'cdef', `${TOKEN}abcd`, `x${TOKEN}`])
  expect(maskText('-abcdefghijkl-', origin)).toBe('-***-')
  expect(maskText(`-x${TOKEN}abcd-`, origin)).toBe('-***-')
})

test('secrets that begin alike are told apart', () => {
  rememberSecrets(origin, [`${TOKEN}.1`, `${TOKEN}.2.3`])
  expect(maskText(`${TOKEN}.1 ${TOKEN}.2.3 ${TOKEN.slice(0, -1)}.2`, origin)).toBe(
    `*** *** ${TOKEN.slice(0, -1)}.2`,
  )
})

test('a body is masked also where JSON escapes a secret in its own way', () => {
  rememberSecrets(origin, [TOKEN])
  const escaped = TOKEN.replaceAll(
    /./g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  expect(maskBody(`{"error":"${escaped}","${TOKEN}":1}`, origin)).toBe('{"error":"***","***":1}')
  expect(maskBody(`{"error": "${TOKEN}`, origin)).toBe('{"error": "***')
  expect(maskBody('{ "error": 1.0 }', origin)).toBe('{ "error": 1.0 }')
})

test.for([
  ['Authorization', `Bearer ${TOKEN}`],
  ['X-Api-Key', TOKEN],
  ['x-access-token', TOKEN],
  ['Cookie', TOKEN],
])('the value of the header %s is a secret', ([name, value]) => {
  rememberHeaders(origin, [[name ?? '', value ?? '']])
  expect(maskText(`got ${TOKEN}`, origin)).toBe('got ***')
})

test('the scheme and other headers are no secrets', () => {
  rememberHeaders(origin, [
    ['authorization', 'Bearer the-value'],
    ['accept', 'application/json'],
  ])
  expect(maskText('Bearer application/json the-value', origin)).toBe('Bearer application/json ***')
})

describe('for any value', () => {
  /** Secrets without the character of the mask, which would be part of it. */
  const secret = fc
    .oneof(
      fc.string({ minLength: 4, maxLength: 40, unit: 'binary' }),
      fc.string({ minLength: 4, maxLength: 8, unit: fc.constantFrom('a', 'b', '"', '%', '2') }),
      fc.string({ minLength: 20, maxLength: 60 }),
    )
    .filter((text) => !text.includes('*'))
  const secrets = fc.array(secret, { minLength: 1, maxLength: 6 })
  /** A text with pieces of secrets, whole ones, and anything else. */
  const texts = (secretTexts: readonly string[]): fc.Arbitrary<string> =>
    fc
      .array(
        fc.oneof(
          fc.constantFrom(...secretTexts),
          fc
            .constantFrom(...secretTexts)
            .chain((text) => fc.nat(text.length).map((start) => text.slice(start))),
          fc.constantFrom(...secretTexts).map((text) => JSON.stringify(text)),
          fc.string({ unit: fc.constantFrom('a', 'b', '"', '%', '2') }),
          fc.string({ unit: 'binary' }),
        ),
        { maxLength: 8 },
      )
      .map((pieces) => pieces.join(''))
  const withSecrets = secrets.chain((remembered) =>
    fc.record({
      remembered: fc.constant(remembered),
      value: fc.jsonValue({ stringUnit: 'binary' }),
      text: texts(remembered),
      more: fc.array(fc.dictionary(texts(remembered), texts(remembered))),
    }),
  )

  /** Returns every text of a value, also its keys. */
  function getTexts(value: unknown): readonly string[] {
    if (typeof value === 'string') return [value]
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, each]) => [key, ...getTexts(each)])
  }

  test('no secret remains, and the rest is unchanged', () => {
    fc.assert(
      fc.property(withSecrets, ({ remembered, value, text, more }) => {
        last += 1
        const own = `https://server-${last}.example`
        rememberSecrets(own, remembered)
        const whole = { value, text, more }
        const masked = maskJson(whole, own)
        for (const each of getTexts(masked))
          for (const one of remembered) expect(each.includes(one)).toBe(false)
        const has = getTexts(whole).some((each) => maskText(each, own) !== each)
        expect(masked === whole).toBe(!has)
        // A text keeps all characters that belong to no secret.
        const parts = maskText(text, own).split('***')
        let position = 0
        for (const part of parts) {
          position = text.indexOf(part, position)
          expect(position).toBeGreaterThanOrEqual(0)
          position += part.length
        }
      }),
    )
  })

  test('a value without a secret is the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        rememberSecrets(origin, [TOKEN])
        expect(maskJson(value, origin)).toBe(value)
      }),
    )
  })
})

describe('with many secrets', () => {
  const HEAD = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.'
  const token = (index: number): string => `${HEAD}${`${index}a1-`.repeat(3000)}${index * 7919}`

  test('a secret is forgotten after 200 newer ones of its server, unless it is used again', () => {
    rememberSecrets(origin, ['oldest1', 'used2'])
    for (let index = 0; index < 199; index += 1) {
      rememberSecrets(origin, [`newer-${index}`])
      rememberSecrets(origin, ['used2'])
    }
    expect(maskText('oldest1 used2 newer-0', origin)).toBe('oldest1 *** ***')
  })

  test('the secrets of one server do not make others forgotten', () => {
    const victim = `${origin}:1`
    rememberSecrets(victim, ['the secret'])
    for (let index = 0; index < 2000; index += 1) rememberSecrets(origin, [`flood-${index}`])
    expect(maskText('the secret', victim)).toBe('***')
  })

  test('1000 tokens of 12 KB that begin alike are found, and take no time for each character of theirs', () => {
    for (let index = 0; index < 1000; index += 1)
      rememberSecrets(`${origin}:${1 + (index % 10)}`, [token(index)])
    expect(maskText(`${token(999)}, ${token(3)}; ${HEAD}`)).toBe(`***, ***; ${HEAD}`)
    const text = `${HEAD} and a sentence of some words. `.repeat(150_000)
    expect(text.length).toBeGreaterThan(10_000_000)
    expect(maskText(text)).toBe(text)
  })

  test.for([
    ['a text without secrets', 'words of a text ', 'unchanged'],
    // Above a number of comparisons, the end of a secret counts as one.
    ['the ends of secrets', `${token(7).slice(-100)} `, 'masked'],
    ['the beginnings of secrets', `${token(7).slice(0, -1)} `, 'unchanged'],
    ['the characters of a secret that repeats itself', 'a', 'masked'],
  ] as const)(
    '%s: 10 MB are masked in time in proportion to their length',
    ([, piece, expected]) => {
      rememberSecrets(origin, ['aaaa', `${'a'.repeat(8000)}b${'a'.repeat(8000)}`, token(7)])
      const text = piece.repeat(10_000_000 / piece.length)
      // A search that begins anew at each character would take minutes.
      expect(maskText(text, origin) === text ? 'unchanged' : 'masked').toBe(expected)
    },
  )
})
