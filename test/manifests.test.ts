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

const published = folders.filter((folder) => manifest(folder)['private'] !== true)

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

const shared = manifest('.')

test.for(published)('%s has the shared fields of the root manifest (pnpm manifests)', (folder) => {
  const { license, author, homepage, bugs, repository, publishConfig } = manifest(folder)
  expect({ license, author, homepage, bugs }).toEqual({
    license: shared['license'],
    author: shared['author'],
    homepage: shared['homepage'],
    bugs: shared['bugs'],
  })
  expect(repository).toEqual({ ...Object(shared['repository']), directory: folder })
  expect(publishConfig).toMatchObject({ access: 'public', provenance: true })
})

// `pnpm run check:packages` removes all builds, and packs: a tarball that was not built has no code.
test.for(published)('%s is built before it is packed', (folder) => {
  expect(manifest(folder)['scripts']).toMatchObject({ prepack: 'turbo run build 1>&2' })
})

test.for(published)('%s has the licence, the notice and a changelog in its tarball', (folder) => {
  for (const file of ['LICENSE', 'NOTICE'])
    expect(readFileSync(join(root, folder, file))).toEqual(readFileSync(join(root, file)))
  expect(manifest(folder)['files']).toEqual(expect.arrayContaining(['NOTICE', 'CHANGELOG.md']))
})

test.for(published)('the changelog of %s begins with its version', (folder) => {
  const { name, version } = manifest(folder)
  const text = readFileSync(join(root, folder, 'CHANGELOG.md'), 'utf8')
  const head = `# ${String(name)}\n\n## ${String(version)}\n\n`
  expect(text.slice(0, head.length)).toBe(head)
})

test('the version of all packages is the same', () => {
  expect(new Set(published.map((folder) => manifest(folder)['version'])).size).toBe(1)
})

test('the entry in the MCP Registry has the name and the version of the command (pnpm manifests)', () => {
  const entry: Record<string, unknown> = JSON.parse(readFileSync(join(root, 'server.json'), 'utf8'))
  const { name, version, mcpName } = manifest('apps/reference-host')
  const address = String(Object(shared['repository']).url).replace(/^git\+|\.git$/g, '')
  const [, owner = ''] = new URL(address).pathname.split('/')
  expect(entry).toMatchObject({
    name: `io.github.${owner}/toolblocks`,
    version,
    repository: { url: address },
    packages: [{ registryType: 'npm', identifier: name, version }],
  })
  expect(mcpName).toBe(entry['name'])
  // The registry refuses longer ones.
  expect(String(entry['description']).length).toBeLessThanOrEqual(100)
})
