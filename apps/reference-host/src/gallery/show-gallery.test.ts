import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toolblocks } from '../toolblocks.suite.ts'
import { GALLERY } from './gallery.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-gallery-'))
})
afterEach(async () => await rm(folder, { recursive: true }))

test('toolblocks gallery shows every piece, and --output html writes them as a page, never over a file', async () => {
  const shown = await toolblocks(folder, 'gallery')
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  for (const { title } of GALLERY) expect(shown.stdout).toContain(`── ${title}\n`)

  const file = join(folder, 'gallery.html')
  const written = await toolblocks(folder, 'gallery', '--output', 'html', '--to', 'gallery.html')
  expect(written).toEqual({ code: 0, stdout: `Wrote ${file}.\n`, stderr: '' })
  const page = await readFile(file, 'utf8')
  expect(page).toMatch(/^<!doctype html>/)
  for (const { title } of GALLERY) expect(page).toContain(`<h2>${title}</h2>`)

  const again = await toolblocks(folder, 'gallery', '--output', 'html', '--to', 'gallery.html')
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('--force')
  expect(await readFile(file, 'utf8')).toBe(page)
})
