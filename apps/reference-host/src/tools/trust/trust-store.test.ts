import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTrustStore } from './trust-store.ts'

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'deep/trust.json')
}

test('what was agreed to is known by folder and command, also to another process', () => {
  const file = makeFile()
  openTrustStore(file).trust('/a', ['one'])
  openTrustStore(file).trust('/a', ['two'])
  openTrustStore(file).trust('/b', ['three'])
  const store = openTrustStore(file)
  expect(store.untrusted('/a', ['one', 'two', 'three'])).toEqual(['three'])
  expect(store.untrusted('/b', ['one', 'three'])).toEqual(['one'])
  expect(store.untrusted('/c', ['one'])).toEqual(['one'])
})

test('the file is the owner’s and holds no command', () => {
  const file = makeFile()
  openTrustStore(file).trust('/a', ['secret command'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain('secret')
})

test.for(['', '[]', '{"folders":{"/a":"x"}}', '{"folders":null}'])(
  'a file that says %j trusts nothing, and can be written again',
  (text) => {
    const file = makeFile()
    openTrustStore(file).trust('/a', ['one'])
    writeFileSync(file, text)
    const store = openTrustStore(file)
    expect(store.untrusted('/a', ['one'])).toEqual(['one'])
    store.trust('/a', ['one'])
    expect(store.untrusted('/a', ['one'])).toEqual([])
  },
)
