#!/usr/bin/env node
// Writes the lists of docs/journeys.md from the titles of the journeys: node scripts/list-journeys.mjs, then pnpm format.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '..')
const PAGE = join(root, 'docs/journeys.md')
const TITLE = /^test(?:\.\w+\([^]*?\))?\(\s*(['"`])(.+?)\1,/gm

/** Reads all journeys: the row, what it shows, and the file, in the order of the page. */
export function readJourneys() {
  const files = readdirSync(join(root, 'journeys'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => `journeys/${file.replaceAll('\\', '/')}`)
  const journeys = files.toSorted().flatMap((file) => {
    const titles = [...readFileSync(join(root, file), 'utf8').matchAll(TITLE)]
    return titles.map(([, , title]) => {
      const [row, ...shows] = title.split(': ')
      return { file, row, shows: shows.join(': ') }
    })
  })
  return { files, journeys: journeys.toSorted((a, b) => compare(a.row, b.row)) }
}

function compare(one, other) {
  return one < other ? -1 : Number(one > other)
}

/** The part of the page for each beginning of a row: a specification, or the promises. */
const PARTS = {
  '000': '000: typed content blocks',
  '001': '001: tools that describe themselves',
  '002': '002: semantic results',
  '003': '003: types of tools',
  '004': '004: tools in TypeScript',
  promise: 'Promises of the README',
}

/** Formats the lists: one for each row and file, below the part of the row. A list of one journey is a line. */
function formatJourneys(journeys) {
  const parts = Map.groupBy(journeys, ({ row }) => row.split(' ')[0])
  return [...parts]
    .map(([part, all]) => `## ${PARTS[part]}\n\n${formatLists(part, all)}\n`)
    .join('\n')
}

function formatLists(part, journeys) {
  const lists = Map.groupBy(journeys, ({ row, file }) => `${row}\n${file}`)
  return [...lists.values()]
    .map((list) => {
      const [{ row, file }] = list
      const [first, ...others] = list.map(({ shows }) => shows)
      const lines = others.length === 0 ? ` ${first}` : `\n\n- ${[first, ...others].join('\n- ')}`
      return `[**${row.slice(part.length + 1)}**](../${file}):${lines}`
    })
    .join('\n\n')
}

function writeLists() {
  const [before] = readFileSync(PAGE, 'utf8').split('\n## ')
  writeFileSync(PAGE, `${before}\n${formatJourneys(readJourneys().journeys)}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeLists()
