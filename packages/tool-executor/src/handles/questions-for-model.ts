import { createQuestionLog, routeOf, type Routes } from '@toolblocks/inquiry'
import {
  isSecret,
  type Answer,
  type Answers,
  type InputRequest,
  isJsonObject,
  type JsonValue,
  PORT_GRACE_MS,
  withinGrace,
} from '@toolblocks/protocol'
import { NotSettledError } from '../not-settled-error.ts'
import type { Handle } from './handle.ts'
import type { LiveUse } from './live-use.ts'

/** Whether a question of a live call waits for the model that drives it, and not for a person or the configuration. */
export function isForModel(request: InputRequest, routes: Routes): boolean {
  const { target = 'user', answer } = routeOf(routes, request.id)
  return (
    target !== 'user' && answer === undefined && !isSecret(request) && request.url === undefined
  )
}

/** The questions of a waiting handle that the driving model answers. */
function questionsForModel({
  pending,
  entry,
}: Pick<Handle, 'pending' | 'entry'>): readonly InputRequest[] {
  const requests = pending.map(({ request }) => request)
  return requests.filter((request) => isForModel(request, entry.routes ?? {}))
}

/** Records each question that the model gets with a result, once. */
export async function putToModel(
  handle: Handle,
  { call, record, context }: Pick<LiveUse, 'call' | 'record' | 'context'>,
): Promise<void> {
  const log = createQuestionLog(call.id, record)
  for (const request of questionsForModel(handle))
    if (!handle.put.has(request.id))
      handle.put.set(request.id, await log(request, 'assistant', context.signal))
}

/** Records what came of every question that is still open with the model. */
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
      whenLate: failToRecord,
    })
}

function failToRecord(): never {
  throw new NotSettledError('what records questions and answers', PORT_GRACE_MS)
}

/** What a model's `input` is: answers to its questions, or why it is none. */
export type ModelAnswers =
  | { kind: 'answers'; answers: Answers }
  /** Nothing is asked of the model. */
  | { kind: 'not-asked'; message: string }
  | { kind: 'wrong'; message: string }

/**
 * Reads a model's `input`: an object by question id, or the answer itself where only one question is open. An input that fits this
 * question as it stands is its answer, whatever it looks like.
 */
export async function readModelAnswers(
  handle: Pick<Handle, 'pending' | 'entry'>,
  input: JsonValue,
): Promise<ModelAnswers> {
  const requests = questionsForModel(handle)
  if (requests.length === 0)
    return {
      kind: 'not-asked',
      message: 'it waits for a person; fetch it, and the person is asked',
    }
  const given = await byQuestion(handle.pending.length === 1 ? requests[0] : undefined, input)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const ids = requests.map(({ id }) => `"${id}"`).join(', ')
    return wrong(`input: expected an object with an answer to each of ${ids}`)
  }
  for (const request of requests) {
    const problem = await findProblem(request, given)
    if (problem !== undefined) return wrong(problem)
  }
  const answers = requests.map(({ id }) => [id, given[id] ?? null] as const)
  return { kind: 'answers', answers: Object.fromEntries(answers) }
}

async function byQuestion(only: InputRequest | undefined, input: JsonValue): Promise<JsonValue> {
  if (!only) return input
  const bare = { [only.id]: input }
  const isBare = (await findProblem(only, bare)) === undefined
  return !isBare && isJsonObject(input) && Object.hasOwn(input, only.id) ? input : bare
}

async function findProblem(
  { id, schema }: InputRequest,
  given: Readonly<Record<string, JsonValue>>,
): Promise<string | undefined> {
  if (!Object.hasOwn(given, id)) return `input: the answer to "${id}" is missing`
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(schema)
  const { verdict, problems } = compiled.ok
    ? compiled.check(given[id])
    : { verdict: 'invalid', problems: compiled.problems }
  if (verdict === 'valid') return undefined
  const reasons = problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
  return `input: the answer to "${id}" does not fit: ${reasons}`
}

function wrong(message: string): ModelAnswers {
  return { kind: 'wrong', message }
}
