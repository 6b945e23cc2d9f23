import { HOST_PROFILES } from '../packages/mcp-bridge/src/server/host-profile.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../docs/hosts.md'), 'utf8')
const [head = [], , ...rows] = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** Reads a cell by the title of its column. */
function getCell(row: readonly string[], column: string): string {
  return row[head.indexOf(column)] ?? ''
}

/** The number with which a cell begins; `undefined` for a text. */
function readNumber(cell: string): number | undefined {
  const [digits] = /^[\d,]+/.exec(cell) ?? []
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}

test('docs/hosts.md has one row for each profile, with its version, date and limits', () => {
  const described = rows.map((row) => ({
    name: getCell(row, 'name').replaceAll('`', ''),
    version: getCell(row, 'version'),
    date: getCell(row, 'date'),
    callSeconds: readNumber(getCell(row, 'time limit')),
    resultCharacters: readNumber(getCell(row, 'length')),
  }))
  expect(described).toEqual(
    HOST_PROFILES.map(({ name, callSeconds, resultCharacters, measured }) => ({
      name,
      ...measured,
      callSeconds,
      resultCharacters,
    })),
  )
})

test('docs/hosts.md has a loss of each profile, and none through the gateway but pictures that a host never shows', () => {
  for (const row of rows) {
    expect(readNumber(getCell(row, 'wrong directly')), getCell(row, 'client')).toBeGreaterThan(0)
    expect(getCell(row, 'through the gateway')).toMatch(/^(0|1: picture beside structure)$/)
  }
})
