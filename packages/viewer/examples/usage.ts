import assert from 'node:assert/strict'
import { openStore } from '@toolblocks/conversation-store'
import { createViewer } from '@toolblocks/viewer'

const store = await openStore('memory:')
await store.append('lamps', 0, [
  { type: 'turn_start', turn: 1 },
  { type: 'user_message', content: [{ type: 'text', text: 'Count the lamps.' }] },
  { type: 'assistant_message', content: [{ type: 'text', text: 'There are **seven**.' }] },
])

// A `fetch` handler has no access control. Put `guardPages` or the host's own sign-in before it.
const pages = createViewer({ store, name: 'in memory', options: {} })
const read = async (address: string): Promise<string> =>
  await (await pages(new Request(`http://127.0.0.1${address}`))).text()

const list = await read('/')
assert.match(list, /Count the lamps\./)
const conversation = await read('/conversation?id=lamps')
assert.match(conversation, /There are/)
await store.close()
