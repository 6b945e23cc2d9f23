import { mkdtempSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import type { ConversationEvent } from './events/conversation-event.ts'
import { openStore } from './open-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-bench-'))
afterAll(() => rmSync(folder, { recursive: true }))

const EVENT: ConversationEvent = {
  type: 'user_message',
  content: [{ type: 'text', text: 'What is in a.rs? '.repeat(30) }],
}

test.for([100, 1000, 10_000])('one more message after %d', async (count, { bench }) => {
  const store = await openStore(`sqlite:${join(folder, `${count}.db`)}`)
  const messages = Array.from({ length: count }, () => EVENT)
  let { seq } = await store.append('c', 0, messages)
  const file = join(folder, `${count}.json`)
  await bench.compare(
    bench('a file of JSON, written anew', async () => {
      await writeFile(`${file}.new`, JSON.stringify([...messages, EVENT]), { flush: true })
      await rename(`${file}.new`, file)
    }),
    bench('store.append', async () => {
      seq = (await store.append('c', seq, [EVENT])).seq
    }),
  )
  await store.close()
})
