import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Asked, Description } from './describe.ts'
import { createCachedDescribe, type Sources } from './describe-from-cache.ts'
import { openDescriptionCache } from './description-cache.ts'

const asked: Asked = { command: './tool', env: [] }
const known = (summary: string): Description => {
  return { ok: true, tools: [{ name: 'a', summary }], warnings: [], unusable: {} }
}

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'descriptions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'deep/er/cache.json')
}

/** A process: a program that answers in turn, and what it was asked. */
function start(file: string, answers: readonly Description[], more: Partial<Sources> = {}) {
  const left = [...answers]
  const asks: Asked[] = []
  const first: Asked[] = []
  const cached = createCachedDescribe({
    cache: openDescriptionCache(file),
    fingerprint: () => 'f1',
    onFirst: (each) => first.push(each),
    describe: async (each) => {
      asks.push(each)
      return left.shift() ?? { ok: false, message: 'asked too often' }
    },
    ...more,
  })
  return { ...cached, asks, first }
}

test('a program is asked once; the next process has its answer at once, and asks in the background', async () => {
  const file = makeFile()
  const one = start(file, [known('old')])
  expect(await one.describe(asked)).toEqual(known('old'))
  expect(await one.settled()).toEqual([])
  expect([one.asks, one.first]).toEqual([[asked], [asked]])

  const two = start(file, [known('old')])
  expect(await two.describe(asked)).toEqual(known('old'))
  expect(await two.settled()).toEqual([])
  expect([two.asks, two.first]).toEqual([[asked], []])
})

test('an answer that has changed is told, and is the one of the next process', async () => {
  const file = makeFile()
  const one = start(file, [known('old')])
  await one.describe(asked)
  await one.settled()
  const two = start(file, [known('new')])
  expect(await two.describe(asked)).toEqual(known('old'))
  expect(await two.settled()).toEqual([asked])
  expect(await start(file, [known('new')]).describe(asked)).toEqual(known('new'))
})

test('a refresh asks first', async () => {
  const file = makeFile()
  const one = start(file, [known('old')])
  await one.describe(asked)
  await one.settled()
  const two = start(file, [known('new')], { refresh: true })
  expect(await two.describe(asked)).toEqual(known('new'))
  expect([two.asks.length, two.first]).toEqual([1, []])
})

test('what does not describe itself is asked each time, and a failure in the background changes nothing', async () => {
  const file = makeFile()
  const failure: Description = { ok: false, message: 'prose' }
  const one = start(file, [failure])
  expect(await one.describe(asked)).toEqual(failure)
  await one.settled()
  const two = start(file, [known('old')])
  expect(await two.describe(asked)).toEqual(known('old'))
  await two.settled()
  const three = start(file, [failure])
  expect(await three.describe(asked)).toEqual(known('old'))
  expect(await three.settled()).toEqual([])
})

test('what cannot be seen is never kept', async () => {
  const file = makeFile()
  const unseen = { fingerprint: () => undefined }
  const one = start(file, [known('old')], unseen)
  await one.describe(asked)
  await one.settled()
  expect(await start(file, [known('new')], unseen).describe(asked)).toEqual(known('new'))
})

test('the file is the owner’s, keeps what another run had asked, and is written in one step', async () => {
  const file = makeFile()
  const apart = { fingerprint: ({ command }: Asked) => JSON.stringify(command) }
  const one = start(file, [known('a'), known('b')], apart)
  await one.describe(asked)
  await one.describe({ ...asked, command: './other' })
  await one.settled()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const two = start(file, [known('c')], apart)
  await two.describe(asked)
  await two.settled()
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).entries)).toEqual([
    '"./other"',
    '"./tool"',
  ])
  expect(readdirSync(join(file, '..'))).toEqual(['cache.json'])
})

test('of more than 200 the oldest go', async () => {
  const file = makeFile()
  for (const name of Array.from({ length: 201 }, (_, index) => `f${index}`)) {
    const { describe, settled } = start(file, [known('a')], { fingerprint: () => name })
    await describe(asked)
    await settled()
  }
  const names = Object.keys(JSON.parse(readFileSync(file, 'utf8')).entries)
  expect([names.length, names[0], names.at(-1)]).toEqual([200, 'f1', 'f200'])
})

test('what is known is served before any program is started', async () => {
  const file = makeFile()
  const one = start(file, [known('old')])
  await one.describe(asked)
  await one.settled()
  const two = start(file, [known('old')])
  await two.describe(asked)
  expect(two.asks).toEqual([])
  await two.settled()
  expect(two.asks).toEqual([asked])
})

test.for([
  '',
  '{',
  '[]',
  '{"version":9,"entries":{"f1":1}}',
  '{"version":1,"entries":{"f1":{"tools":[1]}}}',
  '{"version":1,"entries":{"f1":{"tools":[{"name":"a"}],"warnings":[],"unusable":null}}}',
  '{"version":1,"entries":{"f1":{"tools":[{"name":"a"}],"warnings":[1],"unusable":{}}}}',
])('a file that says %j is an empty cache', async (text) => {
  const file = makeFile()
  const one = start(file, [known('old')])
  await one.describe(asked)
  await one.settled()
  writeFileSync(file, text)
  expect(await start(file, [known('new')]).describe(asked)).toEqual(known('new'))
})
