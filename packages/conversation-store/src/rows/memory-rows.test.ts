import { describeConversationStore } from '../conversation-store.suite.ts'
import { openStore } from '../open-store.ts'
import { tickingClock } from '../ticking-clock.suite.ts'

describeConversationStore('memory', async () => ({
  store: await openStore('memory:', { now: tickingClock() }),
  remove: async () => {},
}))
