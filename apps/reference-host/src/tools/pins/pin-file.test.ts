import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pinOf } from './pin.ts'
import { pinFileOf, readPins, writePins } from './pin-file.ts'

function makeFile(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pin-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'toolblocks.lock.json')
  if (text !== undefined) writeFileSync(file, text)
  return file
}

const pin = pinOf({ name: 'a', inputSchema: { type: 'object' } })
const other = pinOf({ name: 'b', inputSchema: true, summary: 'B.' })

test('pins are read as they were written, by their names, in a file that others may read', () => {
  const file = makeFile()
  writePins(
    file,
    new Map([
      ['b', other],
      ['a', pin],
    ]),
  )
  expect(readPins(file)).toEqual({
    ok: true,
    pins: new Map([
      ['a', pin],
      ['b', other],
    ]),
  })
  expect(readFileSync(file, 'utf8')).toBe(
    `${JSON.stringify({ version: 1, tools: { a: pin, b: other } }, null, 2)}\n`,
  )
  expect(statSync(file).mode & 0o777).toBe(0o644)
})

test('no file has no pins', () => {
  expect(readPins(makeFile())).toEqual({ ok: true, pins: new Map() })
})

const SHAPE = 'expected {"version":1,"tools":{…}}'
const DAMAGED = 'tools.a: the description is not the one of its sha256'
test.for<[unknown, string]>([
  [[], SHAPE],
  [{ version: 2, tools: {} }, SHAPE],
  [{ version: 1 }, SHAPE],
  [{ version: 1, tools: [] }, SHAPE],
  [{ version: 1, tools: { a: null } }, DAMAGED],
  [{ version: 1, tools: { a: { ...pin, sha256: other.sha256 } } }, DAMAGED],
  [{ version: 1, tools: { a: { sha256: pin.sha256 } } }, DAMAGED],
  [{ version: 1, tools: { b: other, a: { ...pin, definition: { name: 'a' } } } }, DAMAGED],
])('%j is told, for an empty one would accept anything: %s', ([document, message]) => {
  const file = makeFile(JSON.stringify(document))
  expect(readPins(file)).toEqual({
    ok: false,
    message: `${file} cannot be used: ${message}; correct it, or delete it to record all descriptions anew`,
  })
})

test('so is what is no JSON, or no file', () => {
  const file = makeFile('{')
  expect(readPins(file)).toMatchObject({
    ok: false,
    message: expect.stringContaining(`${file} cannot be used: `),
  })
  expect(readPins(tmpdir())).toMatchObject({ ok: false })
})

test.for([
  ['/w/toolblocks.toml', '/w/toolblocks.lock.json'],
  ['/w/dev', '/w/dev.lock.json'],
  ['/w/a.toml.toml', '/w/a.toml.lock.json'],
] as const)('the pins of %s are in %s', ([configuration, file]) => {
  expect(pinFileOf(configuration)).toBe(file)
})
