import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const folders = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(group, name)),
)

/** Reads a manifest as unknown data. */
function manifest(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}

test.for(folders)('%s has a description and keywords', (folder) => {
  const { description, keywords } = manifest(folder)
  expect(description).toMatch(/^[A-Z].{20,}\.$/)
  expect(keywords).toEqual(expect.arrayContaining(['llm', 'tools']))
})

// A tarball has no sibling folders, and no docs of the repository.
test.for(folders)('the README of %s links only to files in its tarball', (folder) => {
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
  const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const files = ['README.md', 'LICENSE', ...(manifest(folder)['files'] as string[])]
  for (const link of links.filter((target) => !/^(?:https:|#)/.test(target)))
    expect(files).toContain(link.split('/')[0])
})

test.for(folders)('the sources of %s cite only documents that their readers have', (folder) => {
  const files = readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(root, folder, 'src', file), 'utf8')
    expect(text, file).not.toMatch(/\bspecs\/\d|\bdesign (?:row|section|§)|\(design[ §,)]/)
  }
})
