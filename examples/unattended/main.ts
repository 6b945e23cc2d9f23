import { createScriptedModel } from '@toolblocks/agent'
import { openStore } from '@toolblocks/conversation-store'
import { serveViewer } from '@toolblocks/viewer'
import { workUnattended } from './work-unattended.ts'

// A model of a provider stands here; examples/agent-chat has one.
const model = createScriptedModel([
  { text: '', calls: [{ id: 'call-1', name: 'book_berth', arguments: { berth: 2 } }] },
  { text: 'The berth is booked.', calls: [] },
])
const store = await openStore('memory:')
const view = await serveViewer({
  store,
  name: 'harbour',
  options: {},
  answers: { describeNext: async () => 'The agent continues now.' },
})
const report = await workUnattended('Book berth 2.', {
  store,
  model,
  notify: ({ id }) => console.log(`A question waits: ${view.getUrl(`question?id=${id}`)}`),
  signal: AbortSignal.timeout(86_400_000),
})
console.log(report)
await view.close()
await store.close()
