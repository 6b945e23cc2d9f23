import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const folders = ['packages', 'apps']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
  .filter((folder) => readManifest(folder).private !== true)

interface Manifest {
  name: string
  version: string
  private?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** Finds the folder of a package as another package resolves it. */
function find(name: string, from: string): string {
  try {
    return realpathSync(join(from, 'node_modules', name))
  } catch {
    if (dirname(from) === from) throw new Error(`${name} is not installed`)
    return find(name, dirname(from))
  }
}

/** Returns a package and all of its dependencies, without peers and packages for other platforms. */
function installed(folder: string, seen = new Set<string>()): ReadonlySet<string> {
  const { name, version, dependencies = {}, optionalDependencies = {} } = readManifest(folder)
  const key = `${name}@${version}`
  if (seen.has(key)) return seen
  seen.add(key)
  for (const dependency of Object.keys(dependencies)) {
    if (!(dependency in optionalDependencies)) installed(find(dependency, folder), seen)
  }
  for (const dependency of Object.keys(optionalDependencies)) {
    try {
      installed(find(dependency, folder), seen)
    } catch {
      // A package for another platform is not installed.
    }
  }
  return seen
}

test('docs/dependencies.md lists how many packages each package installs', () => {
  const [, section = ''] = readFileSync(join(root, 'docs/dependencies.md'), 'utf8').split(
    '## What is installed',
  )
  const rows = [...section.matchAll(/^\| `([^`]+)` +\| +(\d+) /gm)].map(([, name, count]) => [
    name,
    Number(count),
  ])
  const counted = folders.map((folder) => [readManifest(folder).name, installed(folder).size])
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(counted))
})
