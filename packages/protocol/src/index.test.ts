import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const record = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  await import(process.argv[1])
  process.stdout.write(JSON.stringify(loaded))
`

function loadedBy(file: string): string[] {
  const url = new URL(file, import.meta.url).href
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', record, url],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

test.for(['index.ts', 'internal.ts'])(
  '%s loads only files of this package, and not the schemas',
  (entry) => {
    const source = new URL('.', import.meta.url).href
    const loaded = loadedBy(entry)
    expect(loaded).toContain(new URL(entry, source).href)
    expect(loaded.filter((url) => !url.startsWith(source) && !url.startsWith('node:'))).toEqual([])
    expect(loaded.filter((url) => url.includes('schemas'))).toEqual([])
  },
)
