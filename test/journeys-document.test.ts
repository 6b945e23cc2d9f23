import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readJourneys } from '../scripts/list-journeys.mjs'

const root = resolve(import.meta.dirname, '..')
const { files, journeys } = readJourneys()

test('docs/journeys.md lists every journey, and no other: node scripts/list-journeys.mjs writes it', () => {
  const page = readFileSync(join(root, 'docs/journeys.md'), 'utf8')
  const listed = page.split('\n## ').flatMap((text) => {
    const part = text.startsWith('Promises') ? 'promise' : text.slice(0, 3)
    const lists = text.matchAll(
      /^\[\*\*(.+?)\*\*\]\(\.\.\/([^)]+)\):(?: (.+)|\n\n((?:- .+\n?)+))/gm,
    )
    return [...lists].flatMap(([, name, file, only, lines = '']) =>
      (only === undefined
        ? [...lines.matchAll(/^- (.+)$/gm)].map(([, shows]) => shows)
        : [only]
      ).map((shows) => ({ file, row: `${part} ${name}`, shows })),
    )
  })
  expect(listed).toEqual(journeys)
})

test('every file of journeys has at least one journey, with a title that names its row', () => {
  const withOne = new Set(journeys.map(({ file }) => file))
  expect([...withOne].toSorted()).toEqual(files.toSorted())
  for (const { row } of journeys) expect(row).toMatch(/^(?:00[0-4]|promise) [a-z]/)
})

test('every journey that a page names exists', () => {
  for (const page of ['docs/architecture.md', 'docs/tests.md', 'AGENTS.md']) {
    const text = readFileSync(join(root, page), 'utf8')
    for (const [file] of text.matchAll(/journeys\/[\w/-]+\.test\.ts/g))
      expect(existsSync(join(root, file)), `${page}: ${file}`).toBe(true)
  }
})
