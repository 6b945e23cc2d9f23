import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { saveText } from './save-text.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-save-'))
  path = join(folder, 'a.md')
})
afterEach(async () => rm(folder, { recursive: true }))

test('all pieces are in the file, and no other file is left beside it', async () => {
  expect(await saveText(path, ['a', 'b\n'], 'keep')).toEqual({ ok: true })
  expect(await readFile(path, 'utf8')).toBe('ab\n')
  expect(await readdir(folder)).toEqual(['a.md'])
})

test('a file that another process creates meanwhile is kept', async () => {
  async function* pieces(): AsyncGenerator<string> {
    await writeFile(path, 'theirs')
    yield 'mine'
  }
  const saved = await saveText(path, pieces(), 'keep')
  expect(saved).toEqual({ ok: false, message: `${path} exists; --force replaces it` })
  expect(await readFile(path, 'utf8')).toBe('theirs')
  expect(await readdir(folder)).toEqual(['a.md'])
})

test('a file that is to be replaced is unchanged until all pieces are written', async () => {
  await writeFile(path, 'before')
  async function* pieces(): AsyncGenerator<string> {
    yield 'half'
    throw new Error('damaged')
  }
  await expect(saveText(path, pieces(), 'replace')).rejects.toThrow('damaged')
  expect(await readFile(path, 'utf8')).toBe('before')
  expect(await readdir(folder)).toEqual(['a.md'])
})
