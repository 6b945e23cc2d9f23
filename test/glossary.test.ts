import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Reads the words in the last column of the tables. The first cell of each row is the term. */
function readReplacedWords(page: string): readonly string[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((row) => [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, word = '']) => word)
}

/** A phrase is found in any letter case; a name only as a complete word. */
function toPattern(word: string): RegExp {
  const escaped = word.replace(/[^\w ]/g, '\\$&')
  return new RegExp(`(?<!\\w)${escaped}(?!\\w)`, /[A-Z]/.test(word) ? '' : 'i')
}

const glossary = 'docs/glossary.md'
const replacedWords = readReplacedWords(readFileSync(join(root, glossary), 'utf8'))

/** Sources, documents and tests; not foreign data, generated files, or changelogs. */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs|md)$/.test(file))
  .filter((file) => !/fixtures|\/api\/|^\.changeset\/|CHANGELOG/.test(file))
  .filter((file) => file !== glossary && file !== 'test/glossary.test.ts')
const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)

test('the glossary lists replaced words', () => {
  expect(replacedWords.length).toBeGreaterThan(20)
})

test.for(replacedWords)('no source, document or test contains "%s"', (word) => {
  const pattern = toPattern(word)
  const occurrences = texts.flatMap(([file, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  )
  expect(occurrences).toEqual([])
})

test('no function has a noun with "Of" as its name', () => {
  const offending = texts
    .filter(([file]) => /\.(ts|tsx|mjs)$/.test(file))
    .flatMap(([file, text]) =>
      [
        ...text.matchAll(
          /\b(?:function\*?|const) ((?!is|has|are)[a-z]\w*Of)\b(?=[^=\n]*(?:\(|=>))/g,
        ),
      ].map(([, name]) => `${file}: ${name}`),
    )
  expect(offending).toEqual([])
})
