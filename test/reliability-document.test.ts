import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/reliability.md', 'utf8').replaceAll(/\s+/g, ' ')

/** A test file, and the titles that follow it. */
const named = [...page.matchAll(/`([^`]+\.test\.ts)`((?:[:,]? "[^"]+")*)/g)].map(
  ([, file = '', titles = '']) => ({
    file,
    titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
  }),
)

test('the page names tests', () => {
  expect(named.length).toBeGreaterThan(20)
})

test.for(named)('the tests that docs/reliability.md names in $file exist', ({ file, titles }) => {
  expect(existsSync(file)).toBe(true)
  const source = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ')
  for (const title of titles) expect(source).toContain(title)
})

test.for([...page.matchAll(/`(?:node )?(scripts\/[a-z-]+\.mjs)`/g)].map(([, file = '']) => file))(
  'the script %s exists',
  (file) => {
    expect(existsSync(file)).toBe(true)
  },
)
