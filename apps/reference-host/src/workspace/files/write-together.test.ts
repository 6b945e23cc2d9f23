import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { writeInOneStep, writeTogether } from './write-together.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-write-'))
})

afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
})

const files = [
  { name: 'tools/a.sh', text: 'a', mode: 0o755 },
  { name: 'b.toml', text: 'b', mode: 0o644 },
]

const names = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).toSorted()

test('all files are written with their modes, and nothing else', async () => {
  expect(await writeTogether(folder, files)).toEqual({ ok: true })
  expect(await names()).toEqual(['b.toml', 'tools', 'tools/a.sh'])
  expect(await readFile(join(folder, 'tools/a.sh'), 'utf8')).toBe('a')
  expect((await stat(join(folder, 'tools/a.sh'))).mode & 0o100).toBe(0o100)
})

test('existing files are named and kept, and nothing is written', async () => {
  await mkdir(join(folder, 'tools'))
  await writeFile(join(folder, 'tools/a.sh'), 'mine')
  expect(await writeTogether(folder, files)).toEqual({
    ok: false,
    message: `${folder}/tools/a.sh exists`,
  })
  expect(await names()).toEqual(['tools', 'tools/a.sh'])
  expect(await readFile(join(folder, 'tools/a.sh'), 'utf8')).toBe('mine')
})

test('if the last file cannot be written, the first ones are removed', async () => {
  await writeFile(join(folder, 'b'), 'a file, where a folder must be')
  const [first] = files
  const blocked = { name: 'b/c.toml', text: 'b', mode: 0o644 }
  expect(await writeTogether(folder, first ? [first, blocked] : [])).toEqual({
    ok: false,
    message: `${folder}/b is not a folder: expected a folder`,
  })
  expect(await names()).toEqual(['b'])
})

test('nothing is written through a link that leads out of the folder', async () => {
  await mkdir(join(folder, 'in'))
  await mkdir(join(folder, 'out'))
  await symlink(join(folder, 'out'), join(folder, 'in/tools'))
  expect(await writeTogether(join(folder, 'in'), files)).toEqual({
    ok: false,
    message: `${join(folder, 'in/tools/a.sh')} leads out of ${join(folder, 'in')}`,
  })
  expect(await readdir(join(folder, 'out'))).toEqual([])
})

function makeFolder(): string {
  const place = mkdtempSync(join(tmpdir(), 'one-step-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  return place
}

test('a file is replaced with its mode, and no other file is left', () => {
  const place = makeFolder()
  const file = join(place, 'a.json')
  writeInOneStep(file, 'old', { mode: 0o600 })
  writeInOneStep(file, 'new', { mode: 0o600 })
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(place)).toEqual(['a.json'])
})

test('an error while replacing is thrown, and no draft is left', () => {
  const place = makeFolder()
  mkdirSync(join(place, 'a.json/inside'), { recursive: true })
  expect(() => writeInOneStep(join(place, 'a.json'), 'new', { mode: 0o600 })).toThrow('EISDIR')
  expect(readdirSync(place)).toEqual(['a.json'])
})
