import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/platforms.md'), 'utf8')

test('docs/platforms.md lists what the rehearsal of a release knows to fail', () => {
  const known: { package: string; with: string; why: string }[] = JSON.parse(
    readFileSync(join(root, 'scripts/rehearse-release/known-failures.json'), 'utf8'),
  )
  const [, text = ''] = page.split(/\| package +\| with +\| why +\|\n/)
  const rows = [...(text.split('\n\n')[0] ?? '').matchAll(/^\| `(.+?)` +\| (\w+) +\| (.+?) +\|$/gm)]
  expect(rows.map(([, name, runtime, why]) => ({ package: name, with: runtime, why }))).toEqual(
    known,
  )
})

test('the files that docs/platforms.md names exist', () => {
  const [, text = ''] = page.split('\n## What differs\n')
  const names = [...text.matchAll(/`([a-z-]+)\/(src\/[^`]+\.ts)`/g)]
  expect(names.length).toBeGreaterThan(10)
  for (const [, folder = '', path = ''] of names) {
    const group = folder === 'reference-host' ? 'apps' : 'packages'
    expect(existsSync(join(root, group, folder, path)), path).toBe(true)
  }
})
