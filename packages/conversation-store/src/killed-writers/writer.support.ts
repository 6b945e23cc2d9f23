// Appends events to a conversation and prints the number of each that was acknowledged: node writer.support.ts URL CONVERSATION COUNT FIRST
import { writeSync } from 'node:fs'
import type { AppendResult } from '../store/conversation-store.ts'
import { openStore } from '../open-store.ts'
import { StoreError } from '../problems/store-error.ts'

const [, , url = '', conversation = '', count, first] = process.argv
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

/** A busy store has written nothing, so the append is tried again. */
async function append(turn: number): Promise<AppendResult> {
  try {
    return await store.append(conversation, seq, [{ type: 'turn_start', turn }])
  } catch (error) {
    if (error instanceof StoreError && error.code === 'busy') return { ok: false, seq }
    throw error
  }
}
