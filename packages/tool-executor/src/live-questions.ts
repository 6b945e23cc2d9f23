import { createQuestionLog, findRoute } from '@toolblocks/inquiry/internal'
import {
  type Answer,
  type Answers,
  type InputRequest,
  type JsonValue,
  type ToolResult,
  isSecret,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  type LiveInput,
  type FoundQuestion,
  askQuestions,
  describeUnanswered,
  createTooManyInteractionsResult,
  PORT_GRACE_MS,
  withinGrace,
} from '@toolblocks/protocol/internal'
import { checkResult } from './finish-result.ts'
import { NotSettledError } from './executor-problem.ts'
import type { Handle, LiveActionContext } from './handle.ts'
import type { ToolEntry } from './tool-entry.ts'

/** The result of giving a running call its input: cancelled, unanswered, a response, or a reason to end the call. */
export type InputOutcome =
  | { kind: 'refused'; message: string }
  /** The asking was cancelled; the call keeps waiting. */
  | { kind: 'left' }
  /** Nobody could answer, and the host wants the questions back. */
  | { kind: 'unanswered' }
  /** With people's answers, if only people were asked. */
  | { kind: 'response'; response: ToolResult; answers?: Answers }
  | { kind: 'ended'; result: ToolResult }

/** Gives a handle the input of a model: free input, or its answers together with those of people, who are asked first. */
export async function applyModelInput(
  handle: Handle,
  input: JsonValue,
  use: LiveActionContext,
): Promise<InputOutcome> {
  if (handle.status !== 'waiting' || handle.pending.length === 0)
    return await applyInput(handle, { input }, use)
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
      const forPeople = handle.pending.filter(({ request }) => !isForModel(request, handle.entry))
      const asked = await askPeople(handle, forPeople, use)
      if (asked.kind === 'ended' || asked.kind === 'left') return asked
      if (asked.kind === 'unanswered')
        return { kind: 'refused', message: 'a question for a person has no answer' }
      await concludeForModel(
        handle,
        (id) => ({ action: 'accept', value: read.answers[id] ?? null }),
        signal,
      )
      const answers = { ...asked.answers, ...read.answers }
      return await applyInput(handle, { answers }, use)
    }
  }
}

/** Asks people the questions of a handle, and applies their answers. */
export async function applyPeopleAnswers(
  handle: Handle,
  use: LiveActionContext,
): Promise<Exclude<InputOutcome, { kind: 'refused' }>> {
  const asked = await askPeople(handle, handle.pending, use)
  if (asked.kind !== 'answers') return asked
  const { answers } = asked
  const outcome = await applyInput(handle, { answers }, use)
  return outcome.kind === 'response' ? { ...outcome, answers } : outcome
}

/** Ends a tool that asks without end. */
async function applyInput(
  handle: Handle,
  input: LiveInput,
  { context: { signal } }: LiveActionContext,
): Promise<Extract<InputOutcome, { kind: 'response' | 'ended' }>> {
  const { entry, live, interactions, mostInteractions } = handle
  if (interactions >= mostInteractions)
    return {
      kind: 'ended',
      result: createTooManyInteractionsResult(entry.tool.name, mostInteractions),
    }
  handle.interactions += 1
  handle.pending = []
  const response = await live.apply(input, { signal })
  return { kind: 'response', response: checkResult(response, entry.tool.name) }
}

async function askPeople(
  handle: Handle,
  questions: readonly FoundQuestion[],
  { context, unanswered }: LiveActionContext,
): Promise<
  | { kind: 'answers'; answers: Answers }
  | { kind: 'left' }
  | { kind: 'unanswered' }
  | { kind: 'ended'; result: ToolResult }
> {
  const asked = await askQuestions(questions, {
    ask: context.ask,
    source: { kind: 'handle', call: handle.call, handle: handle.id },
    signal: AbortSignal.any([context.signal, handle.end.signal]),
  })
  if (asked.kind === 'answers') return asked
  // Only this asking ends. The next fetch asks again, or uses the answers that exist by then.
  if (context.signal.aborted && !handle.end.signal.aborted) return { kind: 'left' }
  const result = describeUnanswered(asked.request, asked.answer)
  const isReturned = unanswered === 'return' && result.metadata?.outcome === 'unanswered'
  return isReturned ? { kind: 'unanswered' } : { kind: 'ended', result }
}

/** Whether a handle waits only for people, or for the configuration in their place. */
export function waitsForPeople({
  status,
  pending,
  entry,
}: Pick<Handle, 'status' | 'pending' | 'entry'>): boolean {
  const isForPeople = pending.every(({ request }) => !isForModel(request, entry))
  return status === 'waiting' && pending.length > 0 && isForPeople
}

/** Whether a question of a running call is for the model that drives it, and not for a person or the configuration. */
export function isForModel(
  request: InputRequest,
  { routes = {} }: Pick<ToolEntry, 'routes'>,
): boolean {
  const { target = 'user', answer } = findRoute(routes, request.id)
  return (
    target !== 'user' && answer === undefined && !isSecret(request) && request.url === undefined
  )
}

/** Returns the questions of a waiting handle that the driving model answers. */
function questionsForModel({
  pending,
  entry,
}: Pick<Handle, 'pending' | 'entry'>): readonly InputRequest[] {
  const requests = pending.map(({ request }) => request)
  return requests.filter((request) => isForModel(request, entry))
}

/** Records each question that a result gives to the model, once. */
export async function putToModel(
  handle: Handle,
  { call, record, context }: Pick<LiveActionContext, 'call' | 'record' | 'context'>,
): Promise<void> {
  const log = createQuestionLog(call.id, record)
  for (const request of questionsForModel(handle))
    if (!handle.put.has(request.id))
      handle.put.set(request.id, await log(request, 'assistant', context))
}

/** Records the answer of each open question of the model. */
export async function concludeForModel(
  { put }: Handle,
  answerTo: (id: string) => Answer,
  signal: AbortSignal,
): Promise<void> {
  const open = [...put]
  put.clear()
  for (const [id, conclude] of open)
    await withinGrace(async () => await conclude(answerTo(id)), {
      signal,
      ms: PORT_GRACE_MS,
      whenLate: () => {
        throw new NotSettledError('the recorder of questions and answers', PORT_GRACE_MS)
      },
    })
}

/** The answers in a model's `input`, or the reason why it has none. */
export type ModelAnswers =
  | { kind: 'answers'; answers: Answers }
  /** No question is for the model. */
  | { kind: 'not-asked'; message: string }
  | { kind: 'wrong'; message: string }

/**
 * Reads a model's `input`: an object by question id, or the answer itself if only one question is open. An input that matches this question's
 * schema is its answer, whatever its shape.
 */
export async function readModelAnswers(
  handle: Pick<Handle, 'pending' | 'entry'>,
  input: JsonValue,
): Promise<ModelAnswers> {
  const requests = questionsForModel(handle)
  if (requests.length === 0)
    return {
      kind: 'not-asked',
      message: 'it waits for a person; fetch it to ask the person',
    }
  const named = await nameQuestions(handle.pending.length === 1 ? requests[0] : undefined, input)
  if (typeof named !== 'object' || named === null || Array.isArray(named)) {
    const ids = requests.map(({ id }) => `"${id}"`).join(', ')
    return refuseAnswers(`input: expected an object with an answer to each of ${ids}`)
  }
  for (const request of requests) {
    const problem = await findProblem(request, named)
    if (problem !== undefined) return refuseAnswers(problem)
  }
  const answers = requests.map(({ id }) => [id, named[id] ?? null] as const)
  return { kind: 'answers', answers: Object.fromEntries(answers) }
}

async function nameQuestions(
  onlyQuestion: InputRequest | undefined,
  input: JsonValue,
): Promise<JsonValue> {
  if (!onlyQuestion) return input
  const answers = { [onlyQuestion.id]: input }
  const isBare = (await findProblem(onlyQuestion, answers)) === undefined
  return !isBare && isJsonObject(input) && Object.hasOwn(input, onlyQuestion.id) ? input : answers
}

async function findProblem(
  { id, schema }: InputRequest,
  answers: Readonly<Record<string, JsonValue>>,
): Promise<string | undefined> {
  if (!Object.hasOwn(answers, id)) return `input: the answer to "${id}" is missing`
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(schema)
  const { verdict, problems } = compiled.ok
    ? compiled.check(answers[id])
    : { verdict: 'invalid', problems: compiled.problems }
  if (verdict === 'valid') return undefined
  const reasons = problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
  return `input: the answer to "${id}" is invalid: ${reasons}`
}

function refuseAnswers(message: string): ModelAnswers {
  return { kind: 'wrong', message }
}
