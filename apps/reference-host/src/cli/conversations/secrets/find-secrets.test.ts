import type { ConversationEvent } from '@toolblocks/conversation-store'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { findSecrets, type PlacedText, readEventTexts } from './find-secrets.ts'

const GITHUB = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
const locate = (seq: number): PlacedText['location'] => ({ conversation: 'c', seq, field: '/text' })
async function* readTexts(...texts: readonly string[]): AsyncGenerator<PlacedText> {
  for (const [index, text] of texts.entries()) yield { location: locate(index + 1), text }
}
const never = new AbortController().signal

/** A worker whose rules never finish if a text asks for it, and otherwise find words in capitals. */
function slowWorker(): URL {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-rules-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'slow.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ text }) => {
  if (text.includes('slow')) for (;;);
  const found = [...text.matchAll(/[A-Z]{8,}/g)].map(({ index, 0: word }) => ({ start: index, end: index + word.length, rule: 'capitals', value: word }))
  parentPort.postMessage(found)
})`,
  )
  return pathToFileURL(file)
}

test('a value is reported once, with all of its places, also far inside a long text', async () => {
  const far = `${'All work and no play. '.repeat(30_000)}${GITHUB} ${'more '.repeat(60_000)}`
  const { secrets, missed } = await findSecrets(readTexts(`a ${GITHUB}`, 'b', far), never)
  expect(secrets).toEqual([{ value: GITHUB, rule: 'github', places: [locate(1), locate(3)] }])
  expect(missed).toEqual([])
})

test('slow rules are ended, the text that they did not search is reported, and the rest is searched', async () => {
  const filler = 'x'.repeat(200_000)
  const texts = readTexts(`FIRSTVALUE ${filler}`, `slow ${filler}`, `LASTVALUE ${filler}`)
  const { secrets, missed } = await findSecrets(texts, never, {
    partMs: 2000,
    worker: slowWorker(),
  })
  expect(secrets.map(({ value }) => value)).toEqual(['FIRSTVALUE', 'LASTVALUE'])
  expect(missed).toEqual([locate(2)])
})

test('when the total time is over, no more text is searched', async () => {
  const filler = 'x'.repeat(200_000)
  const texts = readTexts(`slow ${filler}`, `LASTVALUE ${filler}`)
  const { secrets, missed } = await findSecrets(texts, never, {
    totalMs: 300,
    worker: slowWorker(),
  })
  expect(secrets).toEqual([])
  expect(missed).toEqual([locate(1), locate(2)])
})

test('an abort ends the search at once', async () => {
  const controller = new AbortController()
  const search = findSecrets(readTexts('slow'), controller.signal, { worker: slowWorker() })
  setTimeout(() => controller.abort(), 50)
  await expect(search).rejects.toThrow(/abort/i)
})

test('a value that another one contains is after it, so that no rest of the longer one stays', async () => {
  const texts = readTexts('password: hunter2b', 'DB_PASSWORD=hunter2b-of-ann')
  const { secrets } = await findSecrets(texts, never)
  expect(secrets.map(({ value }) => value)).toEqual(['hunter2b-of-ann', 'hunter2b'])
})

test('the argument after an option is found also in a list of arguments', async () => {
  const event = { type: 'custom', arguments: ['login', '--password', 'hunter2e', 'ann'] }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any event has texts
  const { secrets } = await findSecrets(
    readEventTexts([event as unknown as ConversationEvent]),
    never,
  )
  expect(secrets.map(({ value }) => value)).toEqual(['hunter2e'])
})
