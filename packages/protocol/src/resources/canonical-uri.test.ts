import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type UriOptions, canonicalUri } from './canonical-uri.ts'

interface Vector {
  platform: string
  input?: string
  inputExpr?: string
  canonical?: string
  error?: string
}

const fixture = new URL('uri-vectors.fixture.json', import.meta.url)

const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(fixture, 'utf8'))

const tooLong = `file:///${'a/'.repeat(5000)}`

function canonical(uri: string, options?: UriOptions): string {
  const outcome = canonicalUri(uri, '/project', options)
  return outcome.ok ? outcome.uri : `error: ${outcome.problems[0]?.code}`
}

describe('every vector of the fixture', () => {
  test.for(vectors.filter(({ error }) => error !== 'not-file'))(
    '$platform $input is $canonical$error',
    ({ platform, input = tooLong, canonical: uri, error }) => {
      const options = { platform: platform === 'win32' ? 'win32' : 'posix' } as const
      expect(canonical(input, options)).toBe(uri ?? `error: ${error}`)
    },
  )

  test('a uri of another scheme is not a file uri', () => {
    const others = vectors.filter(({ error }) => error === 'not-file')
    expect(others.map(({ input = '' }) => canonical(input))).toEqual(others.map((v) => v.input))
  })
})

test('the limit counts the bytes of the input and of the canonical form', () => {
  expect(canonical(`x:${'é'.repeat(4095)}`)).toMatch(/^x:é/)
  expect(canonical(`x:${'é'.repeat(4096)}`)).toBe('error: too-long')
  expect(canonical(`file:///${'é'.repeat(3000)}`)).toBe('error: too-long')
  // Six bytes for each, after eight: 8 KiB.
  expect(canonical(`file:///${'é'.repeat(1364)}`)).toHaveLength(8192)
  expect(canonical(`file:///${'é'.repeat(1364)}a`)).toBe('error: too-long')
})

describe('file', () => {
  test('an empty fragment is removed; "/" and "?" are kept in a fragment', () => {
    expect(canonical('file:///a#')).toBe('file:///a')
    expect(canonical('file:///a#/b?c%2F')).toBe('file:///a#/b?c/')
  })

  test.for([
    ['file://localhost/a', 'file:///a'],
    ['file://LOCALHOST/a', 'file:///a'],
    ['file:/a//b', 'file:///a/b'],
    ['file:a//b', 'error: relative'],
    ['file://localhost', 'error: no-path'],
    ['file://', 'error: no-path'],
    ['file://x/a', 'error: authority'],
    ['file://localhosts/a', 'error: authority'],
  ] as const)('a host is empty or this machine: %s is %s', ([uri, expected]) => {
    expect(canonical(uri)).toBe(expected)
  })

  test('a problem repeats the first hundred characters of a long uri', () => {
    const outcome = canonicalUri(`file:${'a'.repeat(200)}`, '/project')
    expect(outcome).toMatchObject({ ok: false, problems: [{ got: `"file:${'a'.repeat(95)}"` }] })
  })

  test('a "?" is refused, because it belongs to a file name that was not encoded', () => {
    expect(canonical('file:///what?.md')).toBe('error: query')
  })

  test('bytes that are not UTF-8 are kept in a name', () => {
    expect(canonical('file:///%e9')).toBe('file:///%E9')
  })

  test('".." is refused only if it would remove an empty segment', () => {
    expect(canonical('file:///a//b/../c')).toBe('file:///a/c')
    expect(canonical('file:///a//b/../../c')).toBe('error: ambiguous-empty-segment')
    expect(canonical('file:////../b')).toBe('file:///b')
  })

  test('a problem says what is wrong, what came and what to write instead', () => {
    expect(canonicalUri('file:src/a.ts', '/project')).toEqual({
      ok: false,
      problems: [
        {
          path: '',
          code: 'relative',
          message: 'the path is relative; give an absolute one, as in file:///a/b',
          got: '"file:src/a.ts"',
        },
      ],
    })
  })
})

describe('file on win32', () => {
  test.for([
    ['file:///C:', 'file:///C:/'],
    ['file:///C:/../..', 'file:///C:/'],
    ['file:///c:/a/..', 'file:///C:/'],
    ['file:///D:\\a\\b', 'file:///D:/a/b'],
    ['file:///a/b', 'file:///E:/a/b'],
    ['file:///../a', 'file:///E:/a'],
    ['file:///C:x', 'error: relative'],
    ['file:///C:/a%5Cb', 'error: encoded-backslash'],
    ['file://server/share', 'error: authority'],
    ['file:\\\\server\\share', 'error: authority'],
  ] as const)('%s is %s', ([uri, expected]) => {
    const outcome = canonicalUri(uri, 'e:\\work', { platform: 'win32' })
    expect(outcome.ok ? outcome.uri : `error: ${outcome.problems[0]?.code}`).toBe(expected)
  })

  test.for([
    ['C:\\work', 'file:///C:/a'],
    ['c:/work', 'file:///C:/a'],
    ['\\\\server\\share', 'error: no-drive'],
    ['/work', 'file:///a'],
    ['/C:/work', 'file:///a'],
    ['', 'file:///a'],
  ] as const)('the workspace %s determines the platform', ([root, expected]) => {
    const outcome = canonicalUri('file:///a', root)
    expect(outcome.ok ? outcome.uri : `error: ${outcome.problems[0]?.code}`).toBe(expected)
  })

  test('a path without a drive needs a root with one', () => {
    expect(canonical('file:///a/b', { platform: 'win32' })).toBe('error: no-drive')
  })
})

describe('http and https', () => {
  test.for([
    ['HTTPS://Example.COM', 'https://example.com/'],
    ['https://example.com:443/a', 'https://example.com/a'],
    ['http://example.com:80/a', 'http://example.com/a'],
    ['http://example.com:443/a', 'http://example.com:443/a'],
    ['https://example.com:/a', 'https://example.com/a'],
    ['https://example.com:0443/a', 'https://example.com/a'],
    ['https://bücher.example/é?é#é', 'https://xn--bcher-kva.example/%C3%A9?%C3%A9#%C3%A9'],
    ['https://[2001:DB8:0:0::1]/', 'https://[2001:db8::1]/'],
    ['https://h/a/../b//c/', 'https://h/a/../b//c/'],
    ['https://h/%7ea%2fb%3a', 'https://h/~a%2Fb%3A'],
    ['https://h/a b?c d', 'https://h/a%20b?c%20d'],
    ['https://h?q', 'https://h/?q'],
    ['https://h/?', 'https://h/?'],
    ['https://h/a#', 'https://h/a'],
    ['https://h/a#b#c', 'https://h/a#b%23c'],
    ['https:///a', 'error: authority'],
    ['https:a', 'error: authority'],
    ['https://h:99999/', 'error: authority'],
    ['https://h:x/', 'error: authority'],
    ['https://a%41/', 'error: authority'],
    ['https://a b/', 'error: authority'],
    ['https://h\\a', 'error: backslash'],
    ['https://h/100%', 'error: bad-percent'],
  ] as const)('%s is %s', ([uri, expected]) => {
    expect(canonical(uri)).toBe(expected)
  })

  test('a password is removed, and the warning does not repeat it', () => {
    const outcome = canonicalUri('https://me:hunter2@h/a', '/project')
    expect(outcome).toMatchObject({ ok: true, uri: 'https://h/a', warning: { code: 'userinfo' } })
    expect(JSON.stringify(outcome)).not.toContain('hunter2')
  })

  test('an empty user name is also removed and reported', () => {
    expect(canonicalUri('https://@h/a', '/project')).toMatchObject({
      ok: true,
      uri: 'https://h/a',
      warning: { code: 'userinfo' },
    })
  })
})

describe('any other scheme', () => {
  test.for(['note:///A/../b', 'NOTE:x', 'data:text/plain,é', 'git+ssh://Host/%7e', 'c:x'])(
    '%s is unchanged, byte for byte',
    (uri) => expect(canonical(uri)).toBe(uri),
  )

  test.for(['', ':', 'a b:c', 'src/main.rs', 'C:\\a', 'C:/a', '1a:b'])('%s is not a uri', (uri) => {
    expect(canonical(uri)).toBe('error: not-a-uri')
  })
})

const hostile = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '%2f',
    '%5c',
    '%00',
    '%',
    '%zz',
    '%e9',
    '%C3%A9',
    'é',
    '💩',
    '\ud83d',
    '\\',
    '|',
    'C:',
    '#',
    '?',
    ' ',
    '\n',
    '\u0085',
    '\u200b',
    ':',
    '@',
    'localhost',
    'a',
    '~',
    '[',
    '^',
    '%7E',
    '%41',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
)

const tail = fc.array(hostile, { maxLength: 12 }).map((parts) => parts.join(''))

const anyUri = fc
  .tuple(fc.constantFrom('file://', 'file:', 'FILE:///', 'https://h', 'http://', 'x:', ''), tail)
  .map((parts) => parts.join(''))

const anyPlatform = fc.constantFrom('posix' as const, 'win32' as const)

describe('for any string', () => {
  test('there is a result, and a canonical uri is unchanged', () => {
    fc.assert(
      fc.property(anyUri, anyPlatform, (uri, platform) => {
        const outcome = canonicalUri(uri, 'C:\\w', { platform })
        fc.pre(outcome.ok)
        expect(canonicalUri(outcome.uri, '/other', { platform })).toEqual({
          ok: true,
          uri: outcome.uri,
        })
      }),
      { numRuns: 1000 },
    )
  })

  test('a canonical file uri is ASCII and has no dot segment and no empty one', () => {
    fc.assert(
      fc.property(tail, anyPlatform, (rest, platform) => {
        const outcome = canonicalUri(`file:///${rest}`, 'C:\\w', { platform })
        fc.pre(outcome.ok)
        expect(outcome.uri).toMatch(/^[!-~]+$/)
        const path = outcome.uri
          .slice('file:///'.length)
          .replace(/#.*/, '')
          .replace(/^[A-Z]:\/$/, '')
        expect(path === '' ? [] : path.split('/')).not.toContain('')
        expect(path.split('/').map(decodeDots)).not.toContain('..')
        expect(path.split('/').map(decodeDots)).not.toContain('.')
      }),
      { numRuns: 1000 },
    )
  })

  test('a canonical https uri is ASCII', () => {
    fc.assert(
      fc.property(tail, (rest) => {
        const outcome = canonicalUri(`https://h/${rest}`, '/')
        fc.pre(outcome.ok)
        expect(outcome.uri).toMatch(/^https:\/\/h\/[!-~]*$/)
      }),
      { numRuns: 1000 },
    )
  })

  test('it has the path that Node.js reads from the uri, if both can read one', () => {
    fc.assert(
      fc.property(tail, (rest) => {
        // WHATWG reads "a|" and "a:" as drives, which no POSIX path has.
        fc.pre(!/(?:^|\/)[A-Za-z](?:[:|]|%7C)/i.test(rest))
        const uri = `file:///${rest.replaceAll('#', '')}`
        const outcome = canonicalUri(uri, '/')
        const path = nodePath(uri)
        fc.pre(outcome.ok && path !== undefined)
        expect(nodePath(outcome.uri)).toBe(withoutTrailingSlash(posix.normalize(path)))
      }),
      { numRuns: 1000 },
    )
  })
})

function decodeDots(segment: string): string {
  return segment.replace(/%2e/gi, '.')
}

function nodePath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri, { windows: false })
  } catch {
    return undefined
  }
}

function withoutTrailingSlash(path: string): string {
  return path.replace(/(?<=.)\/$/, '')
}
