#!/usr/bin/env node
// Writes the table of docs/journeys.md from the titles of the journeys: node scripts/list-journeys.mjs, then pnpm format.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '..')
const PAGE = join(root, 'docs/journeys.md')
const TITLE = /^test(?:\.\w+\([^]*?\))?\(\s*(['"`])(.+?)\1,/gm

/** Reads all journeys: the row, what it shows, and the file, in the order of the table. */
export function readJourneys() {
  const files = readdirSync(join(root, 'journeys'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => `journeys/${file.replaceAll('\\', '/')}`)
  const journeys = files.toSorted().flatMap((file) => {
    const titles = [...readFileSync(join(root, file), 'utf8').matchAll(TITLE)]
    return titles.map(([, , title]) => {
      const [row, ...shows] = title.split(': ')
      return { file, row, shows: shows.join(': ').replaceAll('|', '\\|') }
    })
  })
  return { files, journeys: journeys.toSorted((a, b) => compare(a.row, b.row)) }
}

function compare(one, other) {
  return one < other ? -1 : Number(one > other)
}

function writeTable() {
  const lines = readJourneys().journeys.map(
    ({ row, shows, file }) =>
      `| ${row} | ${shows} | [${file.split('/').at(-1).replace('.test.ts', '')}](../${file}) |`,
  )
  const [before] = readFileSync(PAGE, 'utf8').split('\n| row ')
  const table = ['| row | what it shows | journey |', '| --- | --- | --- |', ...lines]
  writeFileSync(PAGE, `${before}\n${table.join('\n')}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeTable()
