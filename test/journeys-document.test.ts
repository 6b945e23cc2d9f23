import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readJourneys } from '../scripts/list-journeys.mjs'

const root = resolve(import.meta.dirname, '..')
const { files, journeys } = readJourneys()

test('the table of docs/journeys.md lists every journey, and no other: node scripts/list-journeys.mjs writes it', () => {
  const page = readFileSync(join(root, 'docs/journeys.md'), 'utf8')
  const rows = page.matchAll(/^\| (.+?) +\| (.+?) +\| \[[^\]]+\]\(\.\.\/([^)]+)\)/gm)
  const listed = [...rows].map(([, row, shows, file]) => ({ file, row, shows }))
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
