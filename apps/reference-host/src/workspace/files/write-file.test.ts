import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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
import { saveText, writeInOneStep, writeTogether } from './write-file.ts'

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

const own = (path: string) => ({ path })

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
    message: `${join(folder, 'in/tools/a.sh')} leads out of ${join(folder, 'in')} to ${join(folder, 'out/a.sh')}: expected a file in the folder; remove the link`,
  })
  expect(await readdir(join(folder, 'out'))).toEqual([])
})

function makeFolder(): string {
  const tempFolder = mkdtempSync(join(tmpdir(), 'one-step-'))
  onTestFinished(() => rmSync(tempFolder, { recursive: true }))
  return tempFolder
}

test('a file is replaced with its mode, and no other file is left', () => {
  const tempFolder = makeFolder()
  const file = join(tempFolder, 'a.json')
  writeInOneStep(own(file), 'old', { mode: 0o600 })
  writeInOneStep(own(file), 'new', { mode: 0o600 })
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(tempFolder)).toEqual(['a.json'])
})

test('an error while replacing is thrown, and no draft is left', () => {
  const tempFolder = makeFolder()
  mkdirSync(join(tempFolder, 'a.json/inside'), { recursive: true })
  expect(() => writeInOneStep(own(join(tempFolder, 'a.json')), 'new', { mode: 0o600 })).toThrow(
    'EISDIR',
  )
  expect(readdirSync(tempFolder)).toEqual(['a.json'])
})

test('all pieces are in the file, and no other file is left beside it', async () => {
  expect(await saveText(own(join(folder, 'a.md')), ['a', 'b\n'], 'keep')).toEqual({ ok: true })
  expect(await readFile(join(folder, 'a.md'), 'utf8')).toBe('ab\n')
  expect(await readdir(folder)).toEqual(['a.md'])
})

test('a file that another process creates meanwhile is kept', async () => {
  async function* pieces(): AsyncGenerator<string> {
    await writeFile(join(folder, 'a.md'), 'theirs')
    yield 'mine'
  }
  const saved = await saveText(own(join(folder, 'a.md')), pieces(), 'keep')
  expect(saved).toEqual({
    ok: false,
    message: `${join(folder, 'a.md')} exists; --force replaces it`,
  })
  expect(await readFile(join(folder, 'a.md'), 'utf8')).toBe('theirs')
  expect(await readdir(folder)).toEqual(['a.md'])
})

test('a file that is to be replaced is unchanged until all pieces are written', async () => {
  await writeFile(join(folder, 'a.md'), 'before')
  async function* pieces(): AsyncGenerator<string> {
    yield 'half'
    throw new Error('damaged')
  }
  await expect(saveText(own(join(folder, 'a.md')), pieces(), 'replace')).rejects.toThrow('damaged')
  expect(await readFile(join(folder, 'a.md'), 'utf8')).toBe('before')
  expect(await readdir(folder)).toEqual(['a.md'])
})

/** A folder whose links lead to a file outside, to a missing file, and to a folder outside. */
function makeLinks(): { inside: string; outside: string } {
  const tempFolder = makeFolder()
  const [inside, outside] = [join(tempFolder, 'in'), join(tempFolder, 'out')]
  for (const each of [inside, outside]) mkdirSync(each)
  writeFileSync(join(outside, 'profile'), 'kept')
  symlinkSync('../out/profile', join(inside, 'file'))
  symlinkSync('../out/missing', join(inside, 'broken'))
  symlinkSync('../out', join(inside, 'folder'))
  return { inside, outside }
}

test.for(['file', 'broken', 'folder/new', 'folder/profile'])(
  'no writer follows a link out of its folder: %s',
  async (name) => {
    const { inside, outside } = makeLinks()
    const target = { path: join(inside, name), below: inside }
    expect(() => writeInOneStep(target, 'x', { mode: 0o644 })).toThrow(/leads out of .*remove/)
    for (const existing of ['keep', 'replace'] as const)
      expect(await saveText(target, ['x'], existing)).toMatchObject({ ok: false })
    expect(await writeTogether(inside, [{ name, text: 'x', mode: 0o644 }])).toMatchObject({
      ok: false,
    })
    expect(readdirSync(outside)).toEqual(['profile'])
    expect(readFileSync(join(outside, 'profile'), 'utf8')).toBe('kept')
    expect(readdirSync(inside).toSorted()).toEqual(['broken', 'file', 'folder'])
  },
)

test('a link to a file in the same folder is followed, and stays', () => {
  const { inside } = makeLinks()
  symlinkSync('real', join(inside, 'link'))
  const path = join(inside, 'link')
  writeFileSync(join(inside, 'real'), 'old')
  writeInOneStep({ path, below: inside }, 'new', { mode: 0o644 })
  expect(readFileSync(join(inside, 'real'), 'utf8')).toBe('new')
  expect(lstatSync(path).isSymbolicLink()).toBe(true)
})

test('a link that the user made to a file of their own is followed, and stays', () => {
  const { inside, outside } = makeLinks()
  writeInOneStep(own(join(inside, 'file')), 'new', { mode: 0o600 })
  expect(readFileSync(join(outside, 'profile'), 'utf8')).toBe('new')
  expect(lstatSync(join(inside, 'file')).isSymbolicLink()).toBe(true)
})
