import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** `pnpm picture` creates them, and the journeys of the example applications. */
const MADE = readdirSync(`${ROOT}docs/pictures`).map(inPictures)

function inPictures(name: string): string {
  return `docs/pictures/${name}`
}

function named(document: string, pattern: RegExp): readonly string[] {
  return [...readFileSync(ROOT + document, 'utf8').matchAll(pattern)].map(([, path = '']) => path)
}

test('every picture that the scripts create is shown, and every picture that is shown exists', () => {
  const referenced = [
    ...named('README.md', /="(docs\/pictures\/[\w-]+\.webp)"/g),
    ...named('docs/semantic-results.md', /\(pictures\/([\w-]+\.webp)\)/g).map(inPictures),
    ...named('docs/reading.md', /\(pictures\/([\w-]+\.webp)\)/g).map(inPictures),
    ...named('docs/building-a-host.md', /\(pictures\/([\w-]+\.webp)\)/g).map(inPictures),
  ]
  expect(new Set(referenced)).toEqual(new Set(MADE))
})

test('all pictures together stay below 1.9 MB, because every clone contains them', () => {
  const bytes = MADE.reduce((sum, path) => sum + statSync(ROOT + path).size, 0)
  expect(bytes).toBeLessThan(1_900_000)
})
