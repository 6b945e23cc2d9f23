import {
  askQuestions,
  type Answers,
  describeUnanswered,
  type FoundQuestion,
  type JsonValue,
  type LiveInput,
  MAX_LIVE_INTERACTIONS,
  tooManyInteractions,
  type ToolResult,
} from '@toolblocks/protocol'
import { checkResult } from '../results/check-result.ts'
import type { Handle, HandleLimits } from './handle.ts'
import type { LiveUse } from './live-use.ts'
import {
  concludeForModel,
  isForModel,
  putToModel,
  readModelAnswers,
} from './questions-for-model.ts'

/** What came of giving a live call what it waits for: nothing was done, nobody could answer, the tool responded, or it is to be ended. */
export type Given =
  | { kind: 'refused'; message: string }
  /** The one who asked gave up, and the live call waits on. */
  | { kind: 'left' }
  /** Nobody could answer, and the host wants the questions back. */
  | { kind: 'unanswered' }
  | { kind: 'response'; response: ToolResult }
  | { kind: 'ended'; result: ToolResult }

/** The same, of people: with what they answered. */
export type GivenByPeople = Exclude<Given, { kind: 'refused' | 'response' }> | PeopleAnswered
interface PeopleAnswered {
  kind: 'response'
  response: ToolResult
  answers: Answers
}

/** Whether a handle waits for people alone, or for the configuration in their place. */
export function waitsForPeople({
  status,
  pending,
  entry,
}: Pick<Handle, 'status' | 'pending' | 'entry'>): boolean {
  const routes = entry.routes ?? {}
  const isForPeople = ({ request }: FoundQuestion): boolean => !isForModel(request, routes)
  return status === 'waiting' && pending.length > 0 && pending.every(isForPeople)
}

/** Puts to people what a handle asks of them, and applies what they answered. */
export async function giveAnswersOfPeople(
  handle: Handle,
  use: LiveUse,
  limits: HandleLimits,
): Promise<GivenByPeople> {
  const asked = await askPeople(handle, handle.pending, use)
  if (asked.kind !== 'answers') return asked
  const { answers } = asked
  const given = await give(handle, { answers }, { use, limits })
  return given.kind === 'response' ? { ...given, answers } : given
}

/** Gives a handle what a model applies: free input, or its answers with those of people, who are asked first. */
export async function giveInputOfModel(
  handle: Handle,
  input: JsonValue,
  { use, limits }: { use: LiveUse; limits: HandleLimits },
): Promise<Given> {
  if (handle.status !== 'waiting' || handle.pending.length === 0)
    return await give(handle, { input }, { use, limits })
  const { signal } = use.context
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
      if (asked.kind === 'ended' || asked.kind === 'left') return asked
      if (asked.kind === 'unanswered')
        return { kind: 'refused', message: 'a question for a person could not be answered' }
      await concludeForModel(
        handle,
        (id) => ({ action: 'accept', value: read.answers[id] ?? null }),
        signal,
      )
      const answers = { ...asked.answers, ...read.answers }
      return await give(handle, { answers }, { use, limits })
    }
  }
}

/** A tool that asks without end, and whatever answers it without end, are ended here. */
async function give(
  handle: Handle,
  input: LiveInput,
  { use, limits }: { use: LiveUse; limits: HandleLimits },
): Promise<Extract<Given, { kind: 'response' | 'ended' }>> {
  const { entry, live } = handle
  const { interactions: most = MAX_LIVE_INTERACTIONS } = limits
  if (handle.interactions >= most)
    return { kind: 'ended', result: tooManyInteractions(entry.tool.name, most) }
  handle.interactions += 1
  handle.pending = []
  const response = await live.apply(input, { signal: use.context.signal })
  return { kind: 'response', response: checkResult(response, entry.tool.name) }
}

type AskedPeople =
  | { kind: 'answers'; answers: Answers }
  | { kind: 'left' }
  | { kind: 'unanswered' }
  | { kind: 'ended'; result: ToolResult }

async function askPeople(
  handle: Handle,
  questions: readonly FoundQuestion[],
  { context, unanswered }: LiveUse,
): Promise<AskedPeople> {
  const asked = await askQuestions(questions, {
    ask: context.ask,
    source: { kind: 'handle', call: handle.call, handle: handle.id },
    signal: AbortSignal.any([context.signal, handle.end.signal]),
  })
  if (asked.kind === 'answers') return asked
  // Only what asks is over: whoever fetches next is asked, or answers what they were asked by then.
  if (context.signal.aborted && !handle.end.signal.aborted) return { kind: 'left' }
  const result = describeUnanswered(asked.request, asked.answer)
  const isReturned = unanswered === 'return' && result.metadata?.outcome === 'unanswered'
  return isReturned ? { kind: 'unanswered' } : { kind: 'ended', result }
}
