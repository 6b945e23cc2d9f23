import { isJsonObject } from '@toolblocks/protocol'
import type { RunningCall } from '../calls/running-calls.ts'
import { signalOf } from '../connection/ending.ts'
import { answerElicitation } from './answer-elicitation.ts'
import { type AskingServer, confirmVisit, duringPause, questionId } from './answer-requests.ts'
import { readElicitation } from './read-elicitation.ts'

/** What came of the pages: all visited, or which answer ended it. */
export type Visited = 'visited' | 'decline' | 'cancel' | 'not-understood'

/** Sends the person to the pages that an error names, and waits until they say that they are done: no server has to tell. */
export async function visitFirst(
  data: unknown,
  running: RunningCall,
  asking: AskingServer,
): Promise<Visited> {
  const listed = isJsonObject(data) ? data['elicitations'] : undefined
  const pages = (Array.isArray(listed) ? listed : []).map((page) =>
    readElicitation(isJsonObject(page) ? { mode: 'url', ...page } : page),
  )
  if (pages.length === 0) return 'not-understood'
  for (const page of pages) {
    if (page?.mode !== 'url') return 'not-understood'
    const { action } = await duringPause(running, asking.calls, async () => {
      const answer = await answerElicitation(page, {
        server: asking.server,
        id: questionId(running),
        call: running.call,
        context: running.context,
        signal: signalOf(running.deadline),
        warn: (problem) => void running.warnings.push(problem),
      })
      if (answer.action !== 'accept' || (await confirmVisit(running, asking.server))) return answer
      return { action: 'decline' }
    })
    if (action !== 'accept') return action
  }
  return 'visited'
}
