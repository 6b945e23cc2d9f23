import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EVENT_TYPES, findEventProblem } from './decode-event.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const rows = [...readme.matchAll(/^\| `(?<type>[a-z_]+)` +\| (?<fields>[^|]+)\|/gm)].map(
  ({ groups }) => ({ type: groups?.['type'] ?? '', fields: groups?.['fields'] ?? '' }),
)

test('the README has a row for each type of event', () => {
  expect(rows.map(({ type }) => type)).toEqual(EVENT_TYPES)
})

test.for(rows)('the README names the first required field of $type', ({ type, fields }) => {
  const [, name = ''] = (findEventProblem({ type })?.path ?? '').split('/')
  expect(fields).toContain(`\`${name}\``)
})
