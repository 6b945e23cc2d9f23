import { describeConversationStore } from '../compliance.ts'
import { openStore } from '../open-store.ts'

describeConversationStore('memory', async (now) => ({
  store: await openStore('memory:', { now }),
  remove: async () => {},
}))
