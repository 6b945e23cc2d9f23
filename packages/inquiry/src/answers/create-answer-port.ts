import {
  booleanQuestion,
  type Answer,
  type AnswerQuestion,
  type Asked,
  type AskPorts,
  type InputRequest,
  type JsonValue,
  type Problem,
  type QuestionContext,
  type Settlement,
} from '@toolblocks/protocol'
import type { RecordInquiry } from '../record-inquiry.ts'
import { isSecret } from '../questions/is-secret.ts'
import { prepareQuestion, type PreparedQuestion } from '../questions/prepare-question.ts'
import { routeOf, type Route, type Routes } from '../routes.ts'
import { chooseAnswerer } from './choose-answerer.ts'

/** What one port is made of. */
export interface AnswerPortOptions {
  ports: AskPorts
  routes: Routes
  callId: string
  record: RecordInquiry
  /** Gets what was dropped or ignored on the way. */
  warn: (problem: Problem) => void
}

/** How often one question is put before its wrong answers end it. */
export const MAX_TRIES = 3

/**
 * Makes one port out of two: a static answer if it fits, else whoever the route names. Every answer is checked against
 * the question's schema; a wrong one is asked for again with the problem shown. Every question is recorded before it is asked.
 */
export function createAnswerPort(options: AnswerPortOptions): AnswerQuestion {
  const attempts = new Map<string, number>()
  const nextId = (questionId: string): string => {
    const attempt = (attempts.get(questionId) ?? 0) + 1
    attempts.set(questionId, attempt)
    return `${options.callId}.${questionId}.${attempt}`
  }

  return async (request, context) => {
    const prepared = prepareQuestion(request)
    if (!prepared.ok) {
      prepared.problems.forEach(options.warn)
      return { action: 'cancel', reason: 'nobody' }
    }
    prepared.question.warnings.forEach(options.warn)
    return await askPrepared(prepared.question, { options, context, nextId })
  }
}

interface Asking {
  options: AnswerPortOptions
  context: QuestionContext
  nextId: (questionId: string) => string
}

async function askPrepared(question: PreparedQuestion, asking: Asking): Promise<Answer> {
  const { options, context } = asking
  const route = routeOf(options.routes, question.request.id)
  const fixed = await giveStatic(question, route, asking)
  if (fixed) return fixed
  const answerer = chooseAnswerer(question.request, {
    route,
    source: context.source,
    ports: options.ports,
  })
  switch (answerer.kind) {
    case 'port':
      return await askUntilItFits(question, {
        ...asking,
        asked: answerer.asked,
        port: answerer.port,
      })
    case 'default':
      return await settle(question.request, asking, {
        asked: 'static',
        answer: { action: 'accept', value: answerer.value },
      })
    case 'nobody':
      return await settle(question.request, asking, {
        asked: 'nobody',
        answer: { action: 'cancel', reason: 'nobody' },
      })
  }
}

async function giveStatic(
  { request, check }: PreparedQuestion,
  route: Route,
  asking: Asking,
): Promise<Answer | undefined> {
  if (route.answer === undefined) return undefined
  const { verdict, problems } = check(route.answer)
  if (verdict === 'valid')
    return await settle(request, asking, {
      asked: 'static',
      answer: { action: 'accept', value: route.answer },
    })
  // A problem names the value, and warnings are stored.
  const reason = isSecret(request)
    ? 'it is a secret, so it is not shown'
    : problems.map(({ message }) => message).join('; ')
  const message = `the configured answer to "${request.id}" does not fit and was not used: ${reason}`
  asking.options.warn({ path: `/questions/${request.id}/answer`, message, code: 'static-answer' })
  return undefined
}

async function askUntilItFits(
  question: PreparedQuestion,
  asking: Asking & { asked: Asked; port: AnswerQuestion },
): Promise<Answer> {
  const { request, material } = question
  let context: QuestionContext = {
    ...asking.context,
    blocks: [...asking.context.blocks, ...material],
  }
  for (let attempt = 1; ; attempt++) {
    const id = asking.nextId(request.id)
    await record(request, { ...asking, id })
    const answer = await putQuestion(request, context, asking)
    if (answer.action !== 'accept') return await conclude(request, answer, { ...asking, id })
    const problems = await findProblems(answer.value, question, { ...asking, context })
    if (problems.length === 0) return await conclude(request, answer, { ...asking, id })
    await asking.options.record({
      type: 'answer',
      id,
      callId: asking.options.callId,
      outcome: 'cancelled',
      reason: 'wrong-answer',
    })
    if (attempt === MAX_TRIES) {
      const message = `no answer to "${request.id}" fitted its schema in ${MAX_TRIES} tries`
      asking.options.warn({ path: '', message, code: 'wrong-answer' })
      return { action: 'cancel', reason: 'nobody' }
    }
    context = { ...context, shown: context.blocks.length, after: [], problems }
  }
}

/** A port that breaks is a port that cannot be asked. */
async function putQuestion(
  request: InputRequest,
  context: QuestionContext,
  { port, options }: { port: AnswerQuestion; options: AnswerPortOptions },
): Promise<Answer> {
  if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
  try {
    return await port(request, context)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    options.warn({
      path: '',
      message: `asking "${request.id}" failed: ${reason}`,
      code: 'port-failed',
    })
    return { action: 'cancel', reason: context.signal.aborted ? 'aborted' : 'nobody' }
  }
}

/** An answer nobody can check is a person's to confirm, and no model's to give. */
async function findProblems(
  value: JsonValue,
  { request, check }: PreparedQuestion,
  asking: Asking & { asked: Asked; port: AnswerQuestion },
): Promise<readonly Problem[]> {
  const { verdict, problems } = check(value)
  switch (verdict) {
    case 'valid':
      return []
    case 'invalid':
      return problems
    case 'unchecked': {
      if (asking.asked !== 'user') return problems
      const reason = problems.map(({ message }) => message).join('; ')
      const text = `The answer to "${request.text}" could not be checked (${reason}). Use it all the same?`
      const confirmation = booleanQuestion({ id: `${request.id}.unchecked`, text, default: false })
      const id = asking.nextId(confirmation.id)
      await record(confirmation, { ...asking, id })
      const { context } = asking
      const shown = { ...context, shown: context.blocks.length, after: [] }
      const confirmed = await putQuestion(confirmation, shown, asking)
      await conclude(confirmation, confirmed, { ...asking, id })
      return confirmed.action === 'accept' && confirmed.value === true ? [] : problems
    }
  }
}

async function settle(
  request: InputRequest,
  asking: Asking,
  { asked, answer }: { asked: Asked; answer: Answer },
): Promise<Answer> {
  const id = asking.nextId(request.id)
  await record(request, { ...asking, id, asked })
  return await conclude(request, answer, { ...asking, id })
}

async function record(
  question: InputRequest,
  { options, id, asked }: Asking & { id: string; asked: Asked },
): Promise<void> {
  await options.record({ type: 'question', id, callId: options.callId, question, asked })
}

async function conclude(
  request: InputRequest,
  answer: Answer,
  { options, id }: Asking & { id: string },
): Promise<Answer> {
  const { callId } = options
  await options.record({ type: 'answer', id, callId, ...settlementOf(request, answer) })
  return answer
}

function settlementOf(request: InputRequest, answer: Answer): Settlement {
  switch (answer.action) {
    case 'accept':
      return isSecret(request)
        ? { outcome: 'redacted' }
        : { outcome: 'answered', value: answer.value }
    case 'decline':
      return { outcome: 'declined' }
    case 'cancel':
      return { outcome: 'cancelled', reason: answer.reason }
  }
}
