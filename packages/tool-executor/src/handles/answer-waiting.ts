import {
  describeEnd,
  findQuestions,
  isSecret,
  routeOf,
  type FoundQuestion,
  type Routes,
} from '@toolblocks/inquiry'
import {
  MAX_INQUIRY_ROUNDS,
  readStatus,
  type AnswerQuestion,
  type Answers,
  type InputRequest,
  type JsonValue,
  type ToolResult,
} from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import type { Handle } from './handle.ts'

/** Whether a question of a live call waits for the model that drives it, and not for a person or the configuration. */
export function isForModel(request: InputRequest, routes: Routes): boolean {
  const { target = 'user', answer } = routeOf(routes, request.id)
  return (
    target !== 'user' && answer === undefined && !isSecret(request) && request.url === undefined
  )
}

/**
 * Answers what a waiting live call asks of people, until it asks nothing more of them. Questions for the driving model
 * stay open, and its `apply` answers them. What a person declines aborts the call.
 */
export async function answerWaiting(
  handle: Handle,
  response: ToolResult,
  { ask, signal }: { ask: AnswerQuestion; signal: AbortSignal },
): Promise<ToolResult> {
  let current = response
  for (let round = 0; round < MAX_INQUIRY_ROUNDS && readStatus(current) === 'waiting'; round++) {
    const said = findQuestions(current)
    const questions = said.length === 0 && round === 0 ? handle.pending : said
    const routes = handle.entry.routes ?? {}
    if (questions.length === 0 || questions.some(({ request }) => isForModel(request, routes)))
      return current
    const asked = await askPeople(handle, questions, { ask, signal })
    if (!asked.ok) return asked.ended
    handle.pending = []
    current = await handle.live.apply({ answers: asked.answers }, signal)
  }
  return current
}

/** Puts questions to people, one after the other; without an answer the live call is aborted. */
export async function askPeople(
  handle: Handle,
  questions: readonly FoundQuestion[],
  { ask, signal }: { ask: AnswerQuestion; signal: AbortSignal },
): Promise<{ ok: true; answers: Answers } | { ok: false; ended: ToolResult }> {
  const answers = new Map<string, JsonValue>()
  const source = { kind: 'handle', call: handle.call, handle: handle.id } as const
  const ended = AbortSignal.any([signal, handle.end.signal])
  for (const { request, blocks, shown, after } of questions) {
    const answer = await ask(request, { blocks, shown, after, source, signal: ended })
    if (answer.action !== 'accept') {
      await handle.live.abort()
      return { ok: false, ended: describeEnd(request, answer) }
    }
    answers.set(request.id, answer.value)
  }
  return { ok: true, answers: Object.fromEntries(answers) }
}

/**
 * A model's `input` as answers to its questions: the answer itself where nothing else is open, else an object by
 * question id.
 */
export function readModelAnswers(
  { pending, entry }: Pick<Handle, 'pending' | 'entry'>,
  input: JsonValue,
): { ok: true; answers: Answers } | { ok: false; message: string } {
  const open = pending.map(({ request }) => request)
  const forModel = open.filter((request) => isForModel(request, entry.routes ?? {}))
  if (forModel.length === 0)
    return { ok: false, message: 'it waits for a person; fetch it, and the person is asked' }
  const [only, ...more] = open
  const given = only && more.length === 0 ? { [only.id]: input } : input
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const ids = forModel.map(({ id }) => `"${id}"`).join(', ')
    return { ok: false, message: `input: expected an object with an answer to each of ${ids}` }
  }
  for (const { id, schema } of forModel) {
    if (!Object.hasOwn(given, id))
      return { ok: false, message: `input: the answer to "${id}" is missing` }
    const compiled = compileSchema(schema)
    const { verdict, problems } = compiled.ok
      ? compiled.check(given[id])
      : { verdict: 'invalid', problems: compiled.problems }
    if (verdict === 'valid') continue
    const reasons = problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
    return { ok: false, message: `input: the answer to "${id}" does not fit: ${reasons}` }
  }
  return {
    ok: true,
    answers: Object.fromEntries(forModel.map(({ id }) => [id, given[id] ?? null])),
  }
}
