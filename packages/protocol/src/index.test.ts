import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

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

test('the index loads only files of this package', () => {
  const source = new URL('.', import.meta.url).href
  const loaded = loadedBy('index.ts')
  expect(loaded).toContain(new URL('index.ts', source).href)
  expect(loaded.filter((url) => !url.startsWith(source))).toEqual([])
  expect(loaded.filter((url) => url.includes('schemas'))).toEqual([])
})

test('the schemas load typebox', () => {
  expect(loadedBy('schemas.ts').some((url) => url.includes('/typebox/'))).toBe(true)
})

test('without typebox, an optional peer, the schemas say what to install', () => {
  const folder = mkdtempSync(join(tmpdir(), 'protocol-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(import.meta.dirname, folder, { recursive: true })
  const url = pathToFileURL(join(folder, 'schemas.ts')).href
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `await import('${url}')`],
    { encoding: 'utf8' },
  )
  expect(status).toBe(1)
  expect(stderr).toContain('needs typebox, an optional peer: npm install typebox')
})
