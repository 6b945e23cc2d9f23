// Fills a small disk that contains a store, and prints what happened as JSON: node fill-disk.support.ts FOLDER FILLER_BYTES
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../power-cuts/create-random.support.ts'
import type { ConversationEvent } from '../events/conversation-event.ts'
import { openStore } from '../open-store.ts'
import { StoreError } from '../problems/store-error.ts'

/** The path of this program. */
export const FILL_DISK = fileURLToPath(import.meta.url)

/** What happened to a store on a disk that was full and had room again. */
export interface FilledDisk {
  /** The errors of the first append and of the first stream of bytes that found no room: code and message. */
  errors: readonly string[]
  acknowledged: number
  /** Events that could be read while the disk was full. */
  readable: number
  /** Whether an append, and the bytes that found no room, were stored once there was room. */
  isContinued: boolean
  /** Whether all bytes that were kept before are unchanged. */
  isWhole: boolean
  /** Problems that `verify` reports in the end. */
  problems: number
}

const random = createRandom(26)

/** Returns bytes that cannot be compressed. */
const getBytes = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))

/** Fills the disk with events, and then with bytes, and makes room each time. */
export async function fillDisk(folder: string, fillerBytes: number): Promise<FilledDisk> {
  const filler = join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(fillerBytes))
  const store = await openStore(`sqlite:${join(folder, 'c.db')}`)
  const output = getBytes(20_000)
  const kept = await store.keepBytes(output)
  const text = getBytes(3000 + (fillerBytes % 4099)).toString('hex')
  const event: ConversationEvent = { type: 'user_message', content: [{ type: 'text', text }] }
  let acknowledged = 0
  const append = async (): Promise<void> => {
    // A different text each time, so that it is not stored once only.
    const content = [{ type: 'text', text: `${acknowledged}${text}` }] as const
    const appended = await store.append('c', acknowledged, [{ ...event, content }])
    acknowledged = appended.seq
  }
  const errors = [await repeatUntilFull(append)]
  // The store stays readable while there is no room.
  const readable = (await store.read('c', { limit: Infinity })).events.length
  const isWhole = output.equals((await store.readBytes(kept.sha256)) ?? Buffer.alloc(0))
  // The log keeps room that it no longer needs, which small outputs could use.
  const large = getBytes(700_000)
  errors.push(await repeatUntilFull(async () => void (await store.keepBytes(large))))
  const before = acknowledged
  rmSync(filler)
  await append()
  const { sha256 } = await store.keepBytes(large.subarray(0, 100_000))
  const isContinued = acknowledged === before + 1 && (await store.readBytes(sha256)) !== undefined
  const problems = (await store.verify('c')).length
  await store.close()
  return { errors, acknowledged: before, readable, isContinued, isWhole, problems }
}

async function repeatUntilFull(work: () => Promise<void>): Promise<string> {
  for (let tries = 0; tries < 5000; tries++) {
    try {
      await work()
    } catch (error) {
      return error instanceof StoreError
        ? `${error.code}: ${error.message}`
        : `other: ${String(error)}`
    }
  }
  return 'none'
}

if (process.argv[1] === FILL_DISK) {
  const [, , folder = '', bytes = ''] = process.argv
  process.stdout.write(JSON.stringify(await fillDisk(folder, Number(bytes))))
}
