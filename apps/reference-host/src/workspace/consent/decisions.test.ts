import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openDecisions } from './decisions.ts'
import type { Want } from './wants.ts'

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-agreements-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'deep/trust.json')
}

const entry = (hash: string): Want => ({
  part: 'store',
  effect: 'writes',
  text: hash,
  hash,
})
const [a, b] = [entry('a'), entry('b')]

test('an agreement in a folder is known to every process there, and not in other folders', async () => {
  const file = makeFile()
  const agreements = openDecisions(file)
  expect(agreements.findNew('/w', [a, b])).toEqual([a, b])
  await agreements.agree('/w', [a])
  expect(openDecisions(file).findNew('/w', [a, b])).toEqual([b])
  await agreements.agree('/w', [b])
  expect(agreements.findNew('/w', [a, b])).toEqual([])
  expect(agreements.findNew('/v', [a])).toEqual([a])
})

test('the agreements of a folder can be removed', async () => {
  const agreements = openDecisions(makeFile())
  await agreements.agree('/w', [a])
  await agreements.agree('/v', [a])
  expect(await agreements.revoke('/w')).toBe(true)
  expect(await agreements.revoke('/w')).toBe(false)
  expect([agreements.findNew('/w', [a]), agreements.findNew('/v', [a])]).toEqual([[a], []])
})

test('only the owner can read the file and its lock; an agreement to nothing creates neither', async () => {
  const file = makeFile()
  await openDecisions(file).agree('/w', [])
  expect(() => statSync(file)).toThrow('ENOENT')
  await openDecisions(file).agree('/w', [a])
  const folder = join(file, '..')
  expect(readdirSync(folder).toSorted()).toEqual(['trust.json', 'trust.json.lock'])
  for (const name of readdirSync(folder))
    expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
})

test.for(['', '{', '[]', '{"folders":{"/w":"a"}}', 'null'])(
  'a file that holds %j contains no agreement, and new agreements can be added',
  async (text) => {
    const file = makeFile()
    await openDecisions(file).agree('/x', [a])
    writeFileSync(file, text)
    expect(openDecisions(file).findNew('/w', [a])).toEqual([a])
    await openDecisions(file).agree('/w', [a])
    expect(openDecisions(file).findNew('/w', [a])).toEqual([])
  },
)

test('processes that agree at the same time keep the agreements of each other', async () => {
  const file = makeFile()
  const module = fileURLToPath(new URL('decisions.ts', import.meta.url))
  const program = `
    const { openDecisions } = await import(${JSON.stringify(module)})
    const agreements = openDecisions(process.argv[1])
    for (let n = 0; n < 10; n++)
      await agreements.agree('/w', [{ part: 'store', effect: 'writes', text: '', hash: process.argv[2] + n }])`
  await Promise.all(
    ['p', 'q', 'r'].map(async (name) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, file, name]),
    ),
  )
  const { folders } = JSON.parse(readFileSync(file, 'utf8'))
  expect(folders['/w']).toHaveLength(30)
})

test('a file that is no JSON agrees to nothing, and stays beside the new one', async () => {
  const file = makeFile()
  await openDecisions(file).agree('/v', [a])
  const broken = readFileSync(file, 'utf8').slice(0, -4)
  writeFileSync(file, broken)
  const decisions = openDecisions(file)
  expect(decisions.findNew('/v', [a])).toEqual([a])
  await decisions.agree('/w', [b])
  expect(decisions.findNew('/w', [b])).toEqual([])
  expect(readFileSync(`${file}.invalid`, 'utf8')).toBe(broken)
})

test('a pipe in the place of the file agrees to nothing, and is not waited for', async () => {
  const file = makeFile()
  await openDecisions(file).agree('/w', [a])
  rmSync(file)
  await promisify(execFile)('mkfifo', [file])
  expect(openDecisions(file).findNew('/w', [a])).toEqual([a])
})
