import type { JsonValue, ToolResult } from '@toolblocks/protocol'
import { askPeople } from './answer-waiting.ts'
import type { Handle } from './handle.ts'
import type { LiveUse } from './live-use.ts'
import {
  concludeForModel,
  isForModel,
  putToModel,
  readModelAnswers,
} from './questions-for-model.ts'

/** What came of an input: nothing was done, the tool answered, or the call is over. */
export type Applied =
  | { kind: 'refused'; message: string }
  | { kind: 'response'; response: ToolResult }
  | { kind: 'ended'; result: ToolResult }

/** Gives a running call free input; a waiting one its answers, the people's ones asked for first. */
export async function applyInput(handle: Handle, input: JsonValue, use: LiveUse): Promise<Applied> {
  const { signal } = use.context
  if (handle.status !== 'waiting')
    return { kind: 'response', response: await handle.live.apply({ input }, signal) }
  const read = await readModelAnswers(handle, input)
  switch (read.kind) {
    case 'not-asked':
      return { kind: 'refused', message: read.message }
    case 'wrong':
      await concludeForModel(handle, () => ({ action: 'cancel', reason: 'wrong-answer' }), signal)
      await putToModel(handle, use)
      return { kind: 'refused', message: read.message }
    case 'answers': {
      const routes = handle.entry.routes ?? {}
      const forPeople = handle.pending.filter(({ request }) => !isForModel(request, routes))
      const asked = await askPeople(handle, forPeople, use)
      if (asked.kind === 'ended') return asked
      if (asked.kind === 'unanswered')
        return { kind: 'refused', message: 'a question for a person could not be answered' }
      await concludeForModel(
        handle,
        (id) => ({ action: 'accept', value: read.answers[id] ?? null }),
        signal,
      )
      handle.pending = []
      const answers = { ...asked.answers, ...read.answers }
      return { kind: 'response', response: await handle.live.apply({ answers }, signal) }
    }
  }
}
