// Appends events to a conversation and prints the number of each that was acknowledged: node writer.mjs URL CONVERSATION COUNT FIRST
import { writeSync } from 'node:fs'
import { openStore } from '../../packages/conversation-store/src/index.ts'

const [, , url, conversation, count, first] = process.argv
const store = await openStore(url)
let seq = 0
for (let done = 0; done < Number(count);) {
  const appended = await append(Number(first) + done)
  seq = appended.seq
  if (!appended.ok) continue
  done += 1
  writeSync(1, `${seq}\n`)
}
await store.close()

/** What was busy has not been written, and is tried again. */
async function append(turn) {
  try {
    return await store.append(conversation, seq, [{ type: 'turn_start', turn }])
  } catch (error) {
    if (error.code === 'busy') return { ok: false, seq }
    throw error
  }
}
