import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalUri } from './canonical-uri.ts'

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
  test('there is a value, and what is canonical stays as it is', () => {
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

  test('it names the path that Node reads from the uri, where both read one', () => {
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
