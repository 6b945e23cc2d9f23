import { describe, expect, test } from 'vitest'
import { guardPages, type GuardOptions, readOrigin } from './guard.ts'

const HOST = { host: '127.0.0.1:4711' }

/** Pages that report access. The clock is set by hand. Usual responses are one word. */
function open(more: Pick<GuardOptions, 'answers' | 'origin'> = {}): {
  ask: (headers: Record<string, string>, path?: string, method?: string) => Promise<Response>
  enter: (token: unknown) => Promise<Response>
  token: string
  path: string
  clock: { now: number }
} {
  const clock = { now: 1_000_000 }
  const guard = guardPages(async () => new Response('in'), {
    port: () => 4711,
    now: () => clock.now,
    ...more,
  })
  const send = async (path: string, init: RequestInit): Promise<Response> =>
    await guard.fetch(new Request(`http://127.0.0.1:4711${guard.path}${path.slice(1)}`, init))
  return {
    ask: async (headers, path = '/', method = 'GET') => await send(path, { method, headers }),
    enter: async (token) =>
      await send('/enter', {
        method: 'POST',
        body: JSON.stringify({ token }),
        headers: { ...HOST, origin: 'http://127.0.0.1:4711', 'content-type': 'application/json' },
      }),
    token: guard.token,
    path: guard.path,
    clock,
  }
}

/** The response in one word, if it is the sign-in page or one of its responses. */
async function getWord(answer: Response): Promise<string> {
  const text = await answer.text()
  if (answer.status === 204) return 'in'
  if (text.includes('<tb-sign-in')) return 'out'
  if (text.startsWith('This token belongs to another server.')) return 'wrong'
  return text.startsWith('Too many wrong tokens.') ? 'too often' : text
}

describe('a token', () => {
  test.for<unknown>([{}, { toString: 1 }, [], 5, null])(
    'that is %j instead of a text is refused with what was expected',
    async (token) => {
      const { enter } = open()
      const entered = await enter(token)
      expect([entered.status, await entered.text()]).toEqual([
        400,
        'Expected {"token": "…"} as JSON.',
      ])
    },
  )

  test('has 256 bits, and gives a cookie of this port below a secret path, which no script can read', async () => {
    const { ask, enter, token, path } = open()
    expect(path).toMatch(/^\/[\w-]{22}\/$/)
    expect(open().path).not.toBe(path)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(open().token).not.toBe(token)
    const entered = await enter(token)
    expect(await getWord(entered)).toBe('in')
    const cookie = entered.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(
      /^toolblocks-4711=[\da-f]{64}; Path=\/[\w-]{22}\/; HttpOnly; SameSite=Strict$/,
    )
    expect(cookie).toContain(`Path=${path};`)
    const [pair = ''] = cookie.split(';')
    const isIn = async (sent: string): Promise<string> =>
      await getWord(await ask({ ...HOST, cookie: sent }))
    expect(await isIn(pair)).toBe('in')
    expect(await isIn(`${pair}0`)).toBe('out')
    expect(await isIn(pair.replace('4711', '4712'))).toBe('out')
    expect(await isIn(`${pair.split('=')[0]}=${token}`)).toBe('out')
    expect(await isIn('')).toBe('out')
  })

  test('that is wrong gives no access; after ten in a minute only the right one is accepted', async () => {
    const { enter, token, clock } = open()
    for (let time = 0; time < 10; time += 1) expect(await getWord(await enter('x'))).toBe('wrong')
    const further = await enter(token.slice(1))
    expect([await getWord(further), further.headers.get('set-cookie')]).toEqual(['too often', null])
    expect(await getWord(await enter(token))).toBe('in')
    clock.now += 59_999
    expect(await getWord(await enter('x'))).toBe('too often')
    clock.now += 1
    expect(await getWord(await enter('x'))).toBe('wrong')
  })
})

describe('a request', () => {
  const own = { ...HOST, origin: 'http://127.0.0.1:4711' }
  const json = { ...own, 'content-type': 'application/json' }
  const NOT_HERE = 'This host name is not allowed.\n'
  const OTHERS = 'Requests of other pages are not allowed.\n'
  const FIXED = 'These pages are read-only.\n'
  test.for<[string, Record<string, string>, string, string, number, string]>([
    ['by the address', HOST, 'GET', '/', 401, 'out'],
    ['by the name', { host: 'localhost:4711' }, 'GET', '/', 401, 'out'],
    ['for the head alone', HOST, 'HEAD', '/', 401, ''],
    ['from a page of ours', { ...own, 'sec-fetch-site': 'same-origin' }, 'GET', '/', 401, 'out'],
    ['typed by a person', { ...HOST, 'sec-fetch-site': 'none' }, 'GET', '/', 401, 'out'],
    [
      'by a link on another page',
      { ...HOST, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      'GET',
      '/',
      200,
      'out',
    ],
    ['without a host', {}, 'GET', '/', 421, NOT_HERE],
    ['by another name', { host: 'a.example:4711' }, 'GET', '/', 421, NOT_HERE],
    ['on another port', { host: 'localhost:4712' }, 'GET', '/', 421, NOT_HERE],
    ['of another origin', { ...HOST, origin: 'http://a.example' }, 'GET', '/', 403, OTHERS],
    ['of the other name', { ...HOST, origin: 'http://localhost:4711' }, 'GET', '/', 403, OTHERS],
    ['of the site of another', { ...HOST, 'sec-fetch-site': 'same-site' }, 'GET', '/', 403, OTHERS],
    [
      'that enters from another page',
      { ...json, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      'POST',
      '/enter',
      403,
      OTHERS,
    ],
    ['that enters without an origin', HOST, 'POST', '/enter', 403, OTHERS],
    ['that enters as a form', own, 'POST', '/enter', 415, 'Expected application/json.\n'],
    ['that changes something', json, 'PUT', '/enter', 405, FIXED],
    ['that says something elsewhere', json, 'POST', '/', 405, FIXED],
    [
      'that enters without a token',
      json,
      'POST',
      '/enter',
      400,
      'Expected {"token": "…"} as JSON.',
    ],
  ])('%s gets its expected status', async ([, headers, method, path, status, text]) => {
    const answer = await open().ask(headers, path, method)
    expect([answer.status, await getWord(answer)]).toEqual([status, text])
  })

  test('has a response that forbids other code, caching and framing, for every request', async () => {
    for (const headers of [HOST, {}]) {
      const answer = await open().ask(headers)
      const answerHeaders = Object.fromEntries(answer.headers)
      delete answerHeaders['content-type']
      expect(answerHeaders).toEqual({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types toolblocks",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    }
  })
})

/** Sends an answer to guarded pages that return what they receive. */
async function sendAnswer(
  headers: Record<string, string>,
  {
    path = 'answer',
    body = 'id=1',
    method = 'POST',
    ...more
  }: Pick<GuardOptions, 'answers' | 'origin'> & {
    path?: string
    body?: string
    method?: string
  } = {},
): Promise<readonly [number, string]> {
  const guard = guardPages(async (request) => new Response(`got ${await request.text()}`), {
    port: () => 4711,
    answers: 'accept',
    ...more,
  })
  const toUrl = (name: string): string => `http://127.0.0.1:4711${guard.path}${name}`
  const entered = await guard.fetch(
    new Request(toUrl('enter'), {
      method: 'POST',
      body: JSON.stringify({ token: guard.token }),
      headers: { ...HOST, origin: 'http://127.0.0.1:4711', 'content-type': 'application/json' },
    }),
  )
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const own = { ...HOST, cookie, origin: 'http://127.0.0.1:4711', 'content-type': FORM }
  const entries = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== '')
  const answer = await guard.fetch(
    new Request(toUrl(path), { method, body, headers: Object.fromEntries(entries) }),
  )
  return [answer.status, await answer.text()]
}

const FORM = 'application/x-www-form-urlencoded'
const PROXY = 'https://answers.example'

describe('an answer', () => {
  test('of a page of ours reaches the pages, with its content', async () => {
    expect(await sendAnswer({ 'sec-fetch-site': 'same-origin' })).toEqual([200, 'got id=1'])
  })

  test.for<[string, Record<string, string>, Parameters<typeof sendAnswer>[1], number]>([
    ['to pages that are read-only', {}, { answers: 'refuse' }, 405],
    ['without the cookie', { cookie: '' }, {}, 401],
    ['with another cookie', { cookie: 'toolblocks-4711=0' }, {}, 401],
    ['without an origin', { origin: '' }, {}, 403],
    ['of an opaque origin', { origin: 'null' }, {}, 403],
    ['of another origin', { origin: 'http://evil.example' }, {}, 403],
    ['of another port', { origin: 'http://127.0.0.1:80' }, {}, 403],
    ['of another site of the same host', { 'sec-fetch-site': 'same-site' }, {}, 403],
    [
      'of a form on another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      {},
      403,
    ],
    ['under a name that leads here', { host: 'evil.example:4711' }, {}, 421],
    ['as JSON', { 'content-type': 'application/json' }, {}, 415],
    ['as plain text', { 'content-type': 'text/plain' }, {}, 415],
    ['with another method', {}, { method: 'PUT' }, 405],
    ['to another page', {}, { path: 'question' }, 405],
    ['of more than 1 MiB', {}, { body: 'x'.repeat(1024 * 1024 + 1) }, 413],
    ['of the proxy without a proxy', { host: 'answers.example', origin: PROXY }, {}, 421],
    ['of another origin through the proxy', { host: 'answers.example' }, { origin: PROXY }, 403],
    [
      'of the proxy over plain http',
      { host: 'answers.example', origin: 'http://answers.example' },
      { origin: PROXY },
      403,
    ],
    ['of the proxy under the name of this machine', { origin: PROXY }, { origin: PROXY }, 403],
    [
      'of a similar name',
      { host: 'answers.example.evil', origin: 'https://answers.example.evil' },
      { origin: PROXY },
      421,
    ],
  ])('%s is refused', async ([, headers, more, status]) => {
    const [code, text] = await sendAnswer(headers, more)
    expect(code).toBe(status)
    expect(text).not.toContain('got')
  })

  test('through the proxy with the configured origin reaches the pages', async () => {
    const sent = await sendAnswer({ host: 'answers.example', origin: PROXY }, { origin: PROXY })
    expect(sent).toEqual([200, 'got id=1'])
  })
})

test('a client that signs in through the proxy gets a cookie for encrypted connections only', async () => {
  const guard = guardPages(async () => new Response('in'), { port: () => 4711, origin: PROXY })
  const enter = async (headers: Record<string, string>): Promise<string> => {
    const entered = await guard.fetch(
      new Request(`http://127.0.0.1:4711${guard.path}enter`, {
        method: 'POST',
        body: JSON.stringify({ token: guard.token }),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    )
    return entered.headers.get('set-cookie') ?? ''
  }
  expect(await enter({ host: 'answers.example', origin: PROXY })).toMatch(/; HttpOnly; Secure;/)
  expect(await enter({ ...HOST, origin: 'http://127.0.0.1:4711' })).not.toContain('Secure')
})

test.for([
  ['https://answers.example', /^origin https:\/\/answers\.example$/],
  ['https://Answers.example/', /^origin https:\/\/answers\.example$/],
  ['https://answers.example:8443', /^origin https:\/\/answers\.example:8443$/],
  ['http://localhost:8080', /^origin http:\/\/localhost:8080$/],
  ['http://answers.example', /expected https/],
  ['http://127.0.0.1.evil.example', /expected https/],
  ['https://answers.example/path', /expected a scheme and a host/],
  ['https://answers.example?x', /expected a scheme and a host/],
  ['https://me@answers.example', /expected a scheme and a host/],
  ['answers.example', /expected a scheme and a host/],
  ['ftp://answers.example', /expected https/],
] as const)('the origin %s is read as %s', ([text, expected]) => {
  const read = readOrigin(text)
  expect(read.ok ? `origin ${read.origin}` : read.problem).toMatch(expected)
})
