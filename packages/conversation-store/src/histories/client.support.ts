// Calls a store at random and prints each call with its times and its result: node client.support.ts URL NAME SEED STEPS. Each line of the standard
// input is the name of a round, which has its own conversations.
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { openStore } from '../open-store.ts'
import { createRandom } from '../power-cuts/create-random.support.ts'
import { StoreError } from '../problems/store-error.ts'
import type { ConversationEvent, StoredEvent } from '../events/conversation-event.ts'
import type { RecordedCall } from './run-clients.support.ts'

const [, , url = '', name = '', seed = '', steps = ''] = process.argv
const random = createRandom(Number(seed))
const pick = (count: number): number => Math.floor(random() * count)
const store = await openStore(url)
const getTime = (): number => Number(process.hrtime.bigint() / 1000n)
let appended = 0

/** Prints a call with its times. A store that was busy has done nothing. */
async function record(
  conversation: string,
  work: () => Promise<RecordedCall | undefined>,
): Promise<void> {
  const start = getTime()
  let call: RecordedCall | undefined
  try {
    call = await work()
  } catch (error) {
    if (error instanceof StoreError && error.code === 'busy') return
    call = { kind: 'error', message: String(error) }
  }
  // Rounded up, so that the recorded times contain the call.
  if (call)
    process.stdout.write(
      `${JSON.stringify({ ...call, conversation, start, end: getTime() + 1 })}\n`,
    )
}

/** The value that a client scrubs. Its events begin with their name, which stays. */
const SECRETS = ['correct-horse', 'battery-staple']

/** The end of the name of a conversation that is followed, and not deleted. */
const KEPT = '-kept'

/** Time in which a follower must receive the last event, in milliseconds. */
const FOLLOW_MS = 10_000

/** Every third event is so long that its text is stored apart. */
function makeEvent(event: string): ConversationEvent {
  const text = `${event} ${SECRETS.join(' ')}${pick(3) === 0 ? ` ${event}`.repeat(1500) : ''}`
  return { type: 'user_message', content: [{ type: 'text', text }] }
}

function readText({ event }: StoredEvent): string {
  const [block] = event.type === 'user_message' ? event.content : []
  return block?.type === 'text' ? block.text : ''
}

const getName = (text: string): string => text.split(' ')[0] ?? ''

const known = new Map<string, number>()

async function step(conversation: string): Promise<void> {
  const choice = pick(100)
  if (choice < 45) return await append(conversation)
  if (choice < 70) return await read(conversation)
  if (choice < 80)
    return await record(conversation, async () => {
      const { conversations } = await store.list({ limit: Infinity })
      return {
        kind: 'count',
        count: conversations.find(({ id }) => id === conversation)?.events ?? 0,
      }
    })
  if (choice < 86 && !conversation.endsWith(KEPT))
    return await record(conversation, async () => ({
      kind: 'delete',
      existed: await store.delete(conversation),
    }))
  if (choice < 94)
    return await record(conversation, async () => {
      const secret = SECRETS[pick(SECRETS.length)] ?? ''
      await store.scrub({ secret, conversation })
      return { kind: 'scrub', secret }
    })
  await record(conversation, async () => void (await store.collectBytes({ olderThanMs: 0 })))
}

async function append(conversation: string): Promise<void> {
  const events = Array.from({ length: 1 + pick(3) }, () => `${name}-${(appended += 1)}`)
  await record(conversation, async () => {
    const expected = Math.max(0, (known.get(conversation) ?? 0) - (pick(8) === 0 ? 1 : 0))
    const { ok, seq } = await store.append(conversation, expected, events.map(makeEvent))
    known.set(conversation, seq)
    return { kind: 'append', expected, events, ok, seq }
  })
}

async function read(conversation: string): Promise<void> {
  const after = pick(2) === 0 ? 0 : pick((known.get(conversation) ?? 0) + 2)
  const limit = [3, 50][pick(2)] ?? 50
  await record(conversation, async () => {
    const { events, more } = await store.read(conversation, { after, limit })
    const texts = events.map(readText)
    const secrets = texts.map((text) => SECRETS.filter((secret) => text.includes(secret)))
    const seqs = events.map(({ seq }) => seq)
    return {
      kind: 'read',
      after,
      limit,
      events: texts.map(getName),
      seqs,
      more,
      secrets,
    }
  })
}

/** Follows a conversation from its first event. The returned function waits until every event was followed, and prints what was received. */
function follow(conversation: string): () => Promise<void> {
  const events: string[] = []
  const seqs: number[] = []
  const leaving = new AbortController()
  const following = (async () => {
    for await (const each of store.follow(conversation, { signal: leaving.signal })) {
      seqs.push(each.seq)
      events.push('event' in each ? getName(readText(each)) : '')
    }
  })()
  return async () => {
    const { events: all } = await store.read(conversation, { limit: Infinity })
    const end = performance.now() + FOLLOW_MS
    while (seqs.length < all.length && performance.now() < end) await delay(10)
    leaving.abort()
    await following
    const isWhole =
      all.length === events.length &&
      all.every(
        (event, index) => event.seq === seqs[index] && getName(readText(event)) === events[index],
      )
    process.stdout.write(
      `${JSON.stringify({ kind: 'follow', conversation, isWhole, start: 0, end: 0 })}\n`,
    )
  }
}

process.stdout.write('ready\n')
let endFollowing: (() => Promise<void>) | undefined
for await (const round of createInterface({ input: process.stdin })) {
  // All clients have ended the round before.
  await endFollowing?.()
  endFollowing = follow(`${round}${KEPT}`)
  const conversations = [`${round}-a`, `${round}-b`, `${round}${KEPT}`]
  const loop = async (): Promise<void> => {
    for (let done = 0; done < Number(steps); done++)
      await step(conversations[pick(conversations.length)] ?? '')
  }
  await Promise.all([loop(), loop()])
  process.stdout.write('round\n')
}
await endFollowing?.()
process.stdout.write('round\n')
await store.close()
