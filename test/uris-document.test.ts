import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { canonicalUri } from '../packages/protocol/src/index.ts'

const root = resolve(import.meta.dirname, '..')
const document = readFileSync(resolve(root, 'docs/uris.md'), 'utf8')

/** The URI in a cell: a JSON string in a code span. */
function read(cell: string): string {
  return JSON.parse(cell.slice(1, -1).replaceAll('\\|', '|'))
}

const vectors = document
  .split('\n### ')
  .slice(1)
  .flatMap((table) =>
    [...table.matchAll(/^\| (`.*?`) +\| (.*?) +\|$/gm)].map(([, uri = '', expected = '']) => ({
      platform: table.startsWith('POSIX') ? 'posix' : 'win32',
      uri: read(uri),
      expected,
    })),
  )

test.for(vectors)(
  'docs/uris.md: $platform $uri becomes $expected',
  ({ platform, uri, expected }) => {
    const outcome = canonicalUri(uri, '/project', {
      platform: platform === 'win32' ? 'win32' : 'posix',
    })
    expect(outcome.ok ? outcome.uri : outcome.problems[0]?.code).toBe(
      expected.startsWith('`') ? read(expected) : expected,
    )
  },
)

test('docs/uris.md has every vector of the tests', () => {
  const fixture = resolve(root, 'packages/protocol/src/resources/uri-vectors.fixture.json')
  const tested: { vectors: { platform: string; input?: string }[] } = JSON.parse(
    readFileSync(fixture, 'utf8'),
  )
  const documented = new Set(vectors.map(({ platform, uri }) => `${platform} ${uri}`))
  const missing = tested.vectors.filter(
    ({ platform, input }) => input !== undefined && !documented.has(`${platform} ${input}`),
  )
  expect(missing).toEqual([])
})
