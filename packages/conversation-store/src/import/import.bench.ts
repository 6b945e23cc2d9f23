import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { importConversation, readConversations } from './import-conversation.ts'
import { openSource } from './sources/source.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-bench-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a conversation of 4 MB: 400 calls, whose results are files of 7 KB in base64. */
function writeOld(): string {
  const timestamp = '2026-03-05 22:12:35.693571'
  const file = 'const lamp = { is: "on", count: 4 } // what the hall has\n'.repeat(125)
  const records = Array.from({ length: 400 }, (_, index) => [
    {
      timestamp,
      type: 'tool_call_request',
      id: `c${index}`,
      name: 'read',
      arguments: { path: 'YQ==' },
    },
    {
      timestamp,
      type: 'tool_call_response',
      id: `c${index}`,
      content: Buffer.from(`${index}\n${file}`).toString('base64'),
      is_error: false,
    },
  ])
  const inner = join(folder, '17700000001-old')
  mkdirSync(inner)
  writeFileSync(join(inner, 'events.json'), `${JSON.stringify(records.flat(), null, 2)}\n`)
  return join(inner, 'events.json')
}

test('import a conversation of 4 MB', async ({ bench }) => {
  const path = writeOld()
  let stores = 0
  await bench.compare(
    bench('read the file and parse its JSON', () => {
      JSON.parse(readFileSync(path, 'utf8'))
    }),
    bench('readConversations', () => {
      readConversations(openSource(path))
    }),
    bench('readConversations and importConversation into a new store, proven', async () => {
      stores += 1
      const store = await openStore(`sqlite:${join(folder, `${stores}.db`)}`)
      for (const read of readConversations(openSource(path))) await importConversation(store, read)
      await store.close()
    }),
  )
})
