import {
  createNotSettledWarning,
  type Answer,
  type AnswerQuestion,
  type Answers,
  type AskPorts,
  type AskedParty,
  type ContentBlock,
  type InputRequest,
  type JsonValue,
  PORT_GRACE_MS,
  type Problem,
  type QuestionContext,
  appendPointer,
  booleanQuestion,
  withinGrace,
} from '@toolblocks/protocol'
import type { InquiryProblem } from '../questions/inquiry-problem.ts'
import {
  type PreparedQuestion,
  describeValidationError,
  prepareQuestion,
} from '../questions/prepare-question.ts'
import {
  type RecordQuestion,
  type RecordInquiry,
  createQuestionLog,
} from '../questions/question-log.ts'
import { type QuestionRoutes, findRoute } from '../questions/routes.ts'
import { type Answerer, chooseAnswerers, explainNobody } from './choose-answerers.ts'

/** What one port is made of. */
export interface AnswerPortOptions {
  ports: AskPorts
  /** By question id. */
  routes: QuestionRoutes
  /** Answers known before; each is taken before the answer of a route, if it fits. */
  answers?: Answers
  /** Begins the id of every recorded event. */
  callId: string
  /** Gets every question before it is put, and what came of it; a rejection fails the question. */
  record: RecordInquiry
  /** Gets what was dropped or ignored on the way. */
  warn: (problem: InquiryProblem) => void
}

/** A question on its way to an answer, with what is done on the way. */
interface Asking {
  question: PreparedQuestion
  context: QuestionContext
  warn: (problem: InquiryProblem) => void
  put: (...asked: [InputRequest, AskedParty]) => ReturnType<RecordQuestion>
  /** Marks what of the blocks a person has not seen yet; from then on they have. */
  show(context: QuestionContext): QuestionContext
}

/**
 * Makes one port out of two: an answer known before if it fits, else whoever the route names, else its fallback. Every answer is
 * checked against the question's schema; a wrong one is asked for again with the problem shown. Every question is recorded
 * before it is put.
 */
export function createAnswerPort(options: AnswerPortOptions): AnswerQuestion {
  const put = createQuestionLog(options.callId, options.record)
  const seen = new WeakSet<ContentBlock>()

  function show(context: QuestionContext): QuestionContext {
    const { blocks, after = [] } = context
    const firstUnseen = blocks.findIndex((block) => !seen.has(block))
    const unseen = after.filter((block) => !seen.has(block))
    for (const block of [...blocks, ...after]) seen.add(block)
    return { ...context, shown: firstUnseen === -1 ? blocks.length : firstUnseen, after: unseen }
  }

  return async (request, context) => {
    const prepared = await prepareQuestion(request)
    if (!prepared.ok) {
      const at = `${appendPointer('/questions', request.id)}/schema`
      for (const { path, message } of prepared.problems)
        options.warn({ path: at + path, message, code: 'invalid-schema' })
      return { action: 'cancel', reason: 'nobody' }
    }
    prepared.question.warnings.forEach(options.warn)
    const { warn } = options
    const asking: Asking = {
      question: prepared.question,
      context,
      warn,
      put: async (asked, party) => await put(asked, party, context),
      show,
    }
    return await answerOne(asking, options)
  }
}

async function answerOne(
  asking: Asking,
  { ports, routes, answers = {}, warn }: AnswerPortOptions,
): Promise<Answer> {
  const { request } = asking.question
  const route = findRoute(routes, request.id)
  const given = Object.hasOwn(answers, request.id) ? answers[request.id] : undefined
  for (const [value, whose] of [
    [given, 'given'],
    [route.answer, 'configured'],
  ] as const) {
    if (value === undefined) continue
    const problem = findValidationError(value, whose, asking.question)
    if (problem === undefined) return await take(value, asking)
    warn(problem)
  }
  const { source } = asking.context
  const answerers = chooseAnswerers(request, { route, source, ports })
  const told = new Map<AskedParty, string | undefined>()
  for (const answerer of answerers) {
    if (answerer.kind === 'default') return await take(answerer.value, asking)
    const came = await askUntilItFits(answerer, asking)
    if (came.action !== 'cancel' || came.reason !== 'nobody') return came
    told.set(answerer.asked, came.message)
  }
  const message = explainNobody(request, { route, source, told })
  const nobody: Answer = { action: 'cancel', reason: 'nobody', message }
  if (answerers.length > 0) return nobody
  const conclude = await asking.put(request, 'nobody')
  await conclude(nobody)
  return nobody
}

/** Why an answer known before cannot be taken. */
function findValidationError(
  value: JsonValue,
  whose: 'given' | 'configured',
  { request, check }: PreparedQuestion,
): InquiryProblem | undefined {
  const { verdict, problems } = check(value)
  if (verdict === 'valid') return undefined
  const reason = describeValidationError(request, problems)
  const message = `the ${whose} answer to "${request.id}" does not fit and was not used: ${reason}`
  return {
    path: `${appendPointer('/questions', request.id)}/answer`,
    message,
    code: 'static-answer',
  }
}

async function take(value: JsonValue, { question, put }: Asking): Promise<Answer> {
  const taken: Answer = { action: 'accept', value }
  const conclude = await put(question.request, 'static')
  await conclude(taken)
  return taken
}

/** How often one question is put before its wrong answers end it. */
export const MAX_ATTEMPTS = 3

type PortAnswerer = Extract<Answerer, { kind: 'port' }>

interface PortUse {
  answerer: PortAnswerer
  asking: Asking
}

/** Puts a question through a port; a wrong answer is asked for again with its problems. */
async function askUntilItFits(answerer: PortAnswerer, asking: Asking): Promise<Answer> {
  const { request, material } = asking.question
  const { settings } = answerer
  let context: QuestionContext = {
    ...asking.context,
    blocks: [...asking.context.blocks, ...material],
    ...(settings !== undefined && { settings }),
  }
  for (let attempt = 1; ; attempt++) {
    const conclude = await asking.put(request, answerer.asked)
    const answer = await askPort(request, context, { answerer, asking })
    const problems =
      answer.action === 'accept'
        ? await findProblems(answer.value, context, { answerer, asking })
        : []
    if (problems.length === 0) {
      await conclude(answer)
      return answer
    }
    await conclude({ action: 'cancel', reason: 'wrong-answer' })
    if (attempt === MAX_ATTEMPTS) return tooManyTries(request, answerer, problems)
    context = { ...context, problems }
  }
}

/** A port that breaks is said, and what broke it is the reason. */
async function askPort(
  request: InputRequest,
  context: QuestionContext,
  { answerer, asking }: PortUse,
): Promise<Answer> {
  if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
  try {
    const shown = answerer.asked === 'user' ? asking.show(context) : context
    return await withinGrace(async () => await answerer.port(request, shown), {
      signal: context.signal,
      ms: PORT_GRACE_MS,
      whenLate: () => {
        const who = `who was asked "${request.id}" (${answerer.asked})`
        asking.warn(createNotSettledWarning(who, PORT_GRACE_MS))
        return { action: 'cancel', reason: 'aborted' }
      },
    })
  } catch (error) {
    if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
    const reason = error instanceof Error ? error.message : String(error)
    const message = `asking "${request.id}" failed: ${reason}`
    asking.warn({ path: '', message, code: 'port-failed' })
    return { action: 'cancel', reason: 'failed', message }
  }
}

/** An answer nobody can check is a person's to confirm, and no model's to give. */
async function findProblems(
  value: JsonValue,
  context: QuestionContext,
  use: PortUse,
): Promise<readonly Problem[]> {
  const { request, check } = use.asking.question
  const { verdict, problems } = check(value)
  switch (verdict) {
    case 'valid':
      return []
    case 'invalid':
      return problems
    case 'unchecked': {
      if (use.answerer.asked !== 'user') return problems
      const reason = problems.map(({ message }) => message).join('; ')
      const text = `The answer to "${request.text}" could not be checked (${reason}). Use it all the same?`
      const confirmation = booleanQuestion({ id: `${request.id}.unchecked`, text, default: false })
      const conclude = await use.asking.put(confirmation, 'user')
      const confirmed = await askPort(confirmation, context, use)
      await conclude(confirmed)
      return confirmed.action === 'accept' && confirmed.value === true ? [] : problems
    }
  }
}

/** A model that cannot answer has failed; a person has not, and may be asked another time. */
function tooManyTries(
  request: InputRequest,
  { asked }: PortAnswerer,
  problems: readonly Problem[],
): Answer {
  const misfit = describeValidationError(request, problems)
  const message = `no answer to "${request.id}" fitted in ${MAX_ATTEMPTS} tries; of the last one: ${misfit}`
  switch (asked) {
    case 'user':
      return { action: 'cancel', reason: 'wrong-answer', message }
    case 'assistant':
      return { action: 'cancel', reason: 'failed', message }
  }
}
