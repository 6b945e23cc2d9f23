import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../packages/conversation-store/src/index.ts'
import { readTurns } from './read-turns.mjs'

const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url))
/** Of its first acknowledged event, in milliseconds. */
const LONGEST_LIFE = 60

/** Kills writers at random moments and reads what they have left: what was acknowledged, no half, at most the one event that was on its way. */
export async function killWriters(url, kills) {
  const counts = { kills, acknowledged: 0, lost: 0, half: 0, 'not told': 0 }
  for (let kill = 0; kill < kills; kill++) {
    const conversation = `kill-${kill}`
    const acknowledged = await killOne(url, conversation)
    counts.acknowledged += acknowledged
    const store = await openStore(url)
    const turns = await readTurns(store, conversation)
    if (turns.length < acknowledged) counts.lost += 1
    if (turns.length > acknowledged + 1) counts['not told'] += 1
    if (turns.some((turn, index) => turn !== index)) counts.half += 1
    if ((await store.verify(conversation)).length > 0) counts.half += 1
    await store.close()
  }
  return { counts, bad: counts.lost + counts.half + counts['not told'] }
}

async function killOne(url, conversation) {
  const child = spawn(process.execPath, [WRITER, url, conversation, '1000000', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part) => {
    if (text === '') setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_LIFE)
    text += part
  })
  await once(child, 'close')
  // A line without its end was cut by the kill.
  return text.split('\n').length - 1
}
