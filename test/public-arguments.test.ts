import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const PACKAGES = join(import.meta.dirname, '../packages')

/** Entries whose functions are not called by hand with arguments of any kind. */
const OTHER_ENTRIES: Readonly<Record<string, string>> = {
  '@toolblocks/media-type': 'looks a name up, many times for one result',
  '@toolblocks/react': 'components, which get their properties from React',
  '@toolblocks/renderer/html': 'encoders, called for every piece of a page',
  '@toolblocks/viewer/questions': 'inner parts that the packages share',
  '@toolblocks/viewer/reading': 'inner parts that the packages share',
}

const WRONG = {
  undefined,
  null: null,
  'a number': 7,
  'a text': 'x',
  'an array': [],
  'an empty object': {},
}

/** The messages of the engine for a value of a wrong kind. */
const OF_THE_ENGINE =
  /Cannot (?:read|destructure|convert|use|set)|is not (?:a function|iterable|a constructor)|undefined \(|\bargument must be\b/

const entries = readdirSync(PACKAGES).flatMap((folder) => {
  const file = join(PACKAGES, folder, 'package.json')
  if (!existsSync(file)) return []
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
    name: string
    exports: Record<string, unknown>
  }
  return Object.entries(manifest.exports).flatMap(([key, target]) =>
    // Only siblings of the same version import `/internal`.
    typeof target === 'string' && target.endsWith('.ts') && !key.startsWith('./internal')
      ? [{ name: manifest.name + key.slice(1), file: join(PACKAGES, folder, target) }]
      : [],
  )
})

test('every entry is known', () => {
  expect(entries.length).toBeGreaterThan(25)
  const names = entries.map(({ name }) => name)
  expect(Object.keys(OTHER_ENTRIES).filter((name) => !names.includes(name))).toEqual([])
})

test.for(entries.filter(({ name }) => !Object.hasOwn(OTHER_ENTRIES, name)))(
  'no function of $name fails with an error of the engine, whatever its first argument is',
  async ({ file }) => {
    const exported = (await import(file)) as Record<string, unknown>
    const failures: string[] = []
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function' || isClass(value)) continue
      for (const [kind, wrongValue] of Object.entries(WRONG)) {
        const message = await getFailure(value as (argument: unknown) => unknown, wrongValue)
        if (message !== undefined && OF_THE_ENGINE.test(message))
          failures.push(`${name}(${kind}): ${message}`)
      }
    }
    expect(failures).toEqual([])
  },
)

function isClass(value: unknown): boolean {
  return String(value).startsWith('class')
}

/** The message of a failure; `undefined` if the function accepts the argument, or still works on it. */
async function getFailure(
  call: (argument: unknown) => unknown,
  wrongValue: unknown,
): Promise<string | undefined> {
  try {
    const made = call(wrongValue)
    const begun = isIterator(made) ? made.next() : made
    await Promise.race([begun, new Promise((resolve) => setImmediate(resolve))])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function isIterator(value: unknown): value is Iterator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value
}
