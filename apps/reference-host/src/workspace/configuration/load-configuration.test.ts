import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeProblem } from './configuration.ts'
import { loadConfiguration } from './load-configuration.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-configuration-'))
})
afterEach(async () => rm(folder, { recursive: true }))

async function problem(path?: string): Promise<string> {
  const loaded = await loadConfiguration(folder, path)
  return loaded.ok ? '' : loaded.problems.map(describeProblem).join('\n')
}

test('a folder is not a configuration, and the message names the file inside', async () => {
  await mkdir(join(folder, 'toolblocks.toml'))
  expect(await problem()).toBe(`${folder}/toolblocks.toml: expected a file, got a folder`)
  await rm(join(folder, 'toolblocks.toml'), { recursive: true })
  await writeFile(join(folder, 'toolblocks.toml'), '')
  expect(await problem('.')).toBe(
    `${folder}: expected a file, got a folder; there is ${folder}/toolblocks.toml`,
  )
})

test('the nearest file in the folders above is used, unless one is given', async () => {
  const deep = join(folder, 'a/b')
  await mkdir(deep, { recursive: true })
  await writeFile(join(folder, 'toolblocks.toml'), '')
  const readFile = async (path?: string): Promise<string | undefined> => {
    const loaded = await loadConfiguration(deep, path)
    return loaded.ok ? loaded.configuration.file : undefined
  }
  expect(await readFile()).toBe(`${folder}/toolblocks.toml`)
  expect(await readFile('../../toolblocks.toml')).toBe(`${folder}/toolblocks.toml`)
  await writeFile(join(folder, 'a/toolblocks.toml'), '')
  expect(await readFile()).toBe(`${folder}/a/toolblocks.toml`)
})

test('a missing file is reported', async () => {
  expect(await problem('other.toml')).toBe(`${folder}/other.toml: no such file`)
  expect(await problem()).toContain('"toolblocks init" writes one')
})
