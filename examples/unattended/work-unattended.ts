import { type Agent, createAgent, type Model, openConversation } from '@toolblocks/agent'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { harbourTools } from '@toolblocks/example-harbour-tools'
import { awaitPendingQuestion, type PendingQuestion } from '@toolblocks/inquiry/pending'

/**
 * Works on a task for which nobody is here. A decision or a question waits in the store, and the agent is closed meanwhile: the answer may come hours
 * later, from any program that opens the store. Then another agent continues, which could be on another machine. Returns the last words of the model.
 */
export async function workUnattended(
  task: string,
  {
    store,
    model,
    notify,
    signal,
  }: {
    store: ConversationStore
    model: Model
    /** Tells a person that a question waits, for example by a message to a phone. */
    notify: (question: PendingQuestion) => void
    signal: AbortSignal
  },
): Promise<string> {
  const conversation = await openConversation(store, 'night')
  const asked: string[] = []
  let report = ''

  const work = async (turn: (agent: Agent) => ReturnType<Agent['resumeTurn']>) => {
    const agent = createAgent({
      model,
      conversation,
      tools: () => harbourTools,
      root: process.cwd(),
      waiting: {
        whenUnanswered: 'park',
        onOpen: (question) => {
          asked.push(question.id)
          notify(question)
        },
      },
    })
    try {
      return await turn(agent)
    } finally {
      await agent.close()
    }
  }

  const show = (event: { type: string; text?: string }): void => {
    if (event.type === 'text') report += event.text
  }
  let end = await work((agent) => agent.runTurn([{ type: 'text', text: task }], { signal, show }))
  while (end === 'parked' && !signal.aborted) {
    const { documents: storage } = store
    await Promise.all(asked.map((id) => awaitPendingQuestion(id, { storage, signal })))
    end = await work((agent) => agent.resumeTurn({ signal, show }))
  }
  return report
}
