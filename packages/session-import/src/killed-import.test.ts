import { openStore } from '@toolblocks/conversation-store'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { importConversation, readConversations } from './import-conversation.ts'
import { findSourceFiles, openSource } from './sources/source.ts'

const ROUNDS = 20
const CONVERSATIONS = 5
const folder = mkdtempSync(join(tmpdir(), 'toolblocks-killed-'))
const old = join(folder, 'old')
afterAll(() => rmSync(folder, { recursive: true }))

for (let index = 1; index <= CONVERSATIONS; index += 1) {
  const inner = join(old, `1770000000${index}-old`)
  const records = Array.from({ length: 20 }, (_, number) => ({
    timestamp: '2026-03-05 22:12:35.5',
    type: 'tool_call_response',
    id: `c${number}`,
    // Some results become blobs.
    content: Buffer.from(`${index}.${number} `.repeat(number % 5 === 0 ? 3000 : 3)).toString(
      'base64',
    ),
    is_error: false,
  }))
  mkdirSync(inner, { recursive: true })
  writeFileSync(join(inner, 'events.json'), JSON.stringify(records, null, 2))
}

const SCRIPT = `import { importFolder } from ${JSON.stringify(new URL('import-folder.support.ts', import.meta.url).href)}
await importFolder(...process.argv.slice(1))`

/** Starts an import, and kills it a moment after a number of lines. */
async function killImport(
  url: string,
  { lines, delay }: { lines: number; delay: number },
): Promise<number> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, url, old], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = once(child, 'exit')
  let seen = 0
  for await (const _ of createInterface(child.stdout)) {
    seen += 1
    if (seen < lines) continue
    await setTimeout(delay)
    child.kill('SIGKILL')
    break
  }
  await closed
  return seen
}

/** Imports without interruption and returns the resulting state of the store: a hash for each conversation. */
async function finish(url: string): Promise<readonly string[]> {
  const store = await openStore(url)
  for (const file of findSourceFiles(old).files)
    for (const read of readConversations(openSource(file))) {
      const { after } = await importConversation(store, read)
      expect(after).toEqual(read.before)
    }
  const { conversations } = await store.list({ limit: Infinity })
  const kept: string[] = []
  for (const { id } of conversations) {
    expect(await store.verify(id)).toEqual([])
    const hash = createHash('sha256')
    const { events } = await store.read(id, { limit: Infinity })
    for (const { original = '', ...event } of events)
      hash.update(JSON.stringify(event)).update(original)
    kept.push(`${id} ${hash.digest('hex')}`)
  }
  await store.close()
  return kept.toSorted()
}

test('an import that is killed at any moment is completed by the next one, without duplicates', async () => {
  const whole = await finish('memory:')
  const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
    url: `sqlite:${join(folder, `${round}.db`)}`,
    lines: 1 + (round % CONVERSATIONS),
    delay: Math.random() * 4,
  }))
  const [even, odd] = [0, 1].map(async (first) => {
    for (const [index, { url, ...moment }] of rounds.entries()) {
      if (index % 2 !== first) continue
      await killImport(url, moment)
      expect(await finish(url), JSON.stringify(moment)).toEqual(whole)
    }
  })
  await Promise.all([even, odd])
}, 60_000)
