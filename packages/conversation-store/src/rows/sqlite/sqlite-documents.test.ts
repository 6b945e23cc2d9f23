import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openStore } from '../../open-store.ts'
import { file, folder, tamper, useDatabaseFile } from './database-file.support.ts'

useDatabaseFile()

const open = {
  collection: 'question',
  id: 'q',
  version: 0,
  state: 'open',
  conversation: 'c',
  value: { text: 'Go?' },
} as const

const counter = `
  import { openStore } from ${JSON.stringify(new URL('../../open-store.ts', import.meta.url).href)}
  const [, , url, count] = process.argv
  const { documents, close } = await openStore(url)
  let known = await documents.read('counter', 'n')
  for (let done = 0; done < Number(count); ) {
    const { version = 0, value = 0 } = known ?? {}
    const written = await documents.write({ collection: 'counter', id: 'n', state: 'open', version, value: value + 1 })
    known = written.document
    if (written.ok) done += 1
  }
  await close()
`

test('several processes add to a counter without the loss of an addition', async () => {
  await writeFile(join(folder, 'counter.mjs'), counter)
  const run = promisify(execFile)
  const args = [join(folder, 'counter.mjs'), `sqlite:${file}`, '40']
  await Promise.all([1, 2, 3].map(() => run(process.execPath, args)))
  const store = await openStore(`sqlite:${file}`)
  expect(await store.documents.read('counter', 'n')).toMatchObject({ version: 120, value: 120 })
  await store.close()
})

test('a wait ends when the document is removed and created again between two queries', async () => {
  const store = await openStore(`sqlite:${file}`)
  const { documents } = store
  await documents.write(open)
  // The wait queries the file at once, and again later.
  const waiting = documents.changed('question', 'q', 1, new AbortController().signal)
  await documents.remove('question', 'q', 1)
  await documents.write({ ...open, value: 'another question' })
  await waiting
  await store.close()
})

test.for([
  ['value', "bytes = CAST('{}' AS BLOB)"],
  ['version', 'version = 2'],
  ['state', "state = 'closed'"],
  ['time', "at = '1999'"],
  ['hash', 'sha256 = zeroblob(32)'],
] as const)('a document whose %s was changed in the file is damaged', async ([, change]) => {
  const writer = await openStore(`sqlite:${file}`)
  await writer.documents.write(open)
  await writer.documents.write({ ...open, id: 'other' })
  await writer.close()
  tamper(`UPDATE documents SET ${change} WHERE id = 'q'`)
  const { documents, verify, close } = await openStore(`sqlite:${file}`)
  const damaged = { code: 'damaged', conversation: 'c', problem: { code: 'damaged-document' } }
  await expect(documents.read('question', 'q')).rejects.toMatchObject(damaged)
  const list = await documents.list('question')
  expect(list).toMatchObject({ documents: [{ id: 'other' }], damaged: [{ id: 'q' }] })
  expect(await verify('c')).toMatchObject([{ path: '/documents/question/q' }])
  await close()
})
