import {
  type Answer,
  type AnsweredQuestion,
  type AnswerQuestion,
  type Answers,
  type AskPorts,
  type AskedParty,
  type ContentBlock,
  type InputRequest,
  type JsonValue,
  type Problem,
  type QuestionContext,
  booleanQuestion,
} from '@toolblocks/protocol'
import {
  requireArguments,
  appendPointer,
  PORT_GRACE_MS,
  withinGrace,
  createNotSettledWarning,
  getErrorText,
} from '@toolblocks/protocol/internal'
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

/** Options of `createAnswerPort`. */
export interface AnswerPortOptions {
  ports: AskPorts
  /** The routes, by question id. */
  routes: QuestionRoutes
  /** Answers known in advance, by question id. A valid one overrides the route. */
  answers?: Answers
  /** Questions of earlier runs of the same call. A question that is asked again unchanged gets the same answer, which is not recorded again. */
  answered?: readonly AnsweredQuestion[]
  /** Prefix of the id of every recorded event. */
  callId: string
  /** Receives every question before it is asked, and then its answer. A rejection fails the question. */
  record: RecordInquiry
  /** Receives warnings about ignored or dropped values. */
  warn: (problem: InquiryProblem) => void
}

/** A question in progress and its options. */
interface QueuedQuestion {
  question: PreparedQuestion
  context: QuestionContext
  warn: (problem: InquiryProblem) => void
  put: (...asked: [InputRequest, AskedParty]) => ReturnType<RecordQuestion>
  /** Marks the blocks that the person has not seen yet as seen. */
  show(context: QuestionContext): QuestionContext
}

/**
 * Creates one port from two. It returns a valid answer known in advance, or else asks the answerer of the route, or else its fallback. Every answer
 * is validated against the question's schema; an invalid one is asked for again, with the problem. Every question is recorded before it is asked.
 */
export function createAnswerPort(options: AnswerPortOptions): AnswerQuestion {
  requireArguments('createAnswerPort(options)', [options, 'object'])
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
      const schemaPointer = `${appendPointer('/questions', request.id)}/schema`
      for (const { path, message } of prepared.problems)
        options.warn({ path: schemaPointer + path, message, code: 'invalid-schema' })
      return { action: 'cancel', reason: 'nobody' }
    }
    const earlier = await findEarlierAnswer(prepared.question.request, options.answered ?? [])
    if (earlier) return earlier
    prepared.question.warnings.forEach(options.warn)
    const { warn } = options
    const asking: QueuedQuestion = {
      question: prepared.question,
      context,
      warn,
      put: async (asked, party) => await put(asked, party, context),
      show,
    }
    return await answerOne(asking, options)
  }
}

/** Returns the answer to the same question, equal in everything that its answerer decides on. */
async function findEarlierAnswer(
  request: InputRequest,
  answered: readonly AnsweredQuestion[],
): Promise<Answer | undefined> {
  const named = answered.filter((each) => each.request.id === request.id)
  if (named.length === 0) return undefined
  const { canonicalJson } = await import('@toolblocks/schema-check')
  const describe = ({ text, schema, url }: InputRequest): string =>
    canonicalJson({ text, schema, url: url ?? null })
  return named.find((each) => describe(each.request) === describe(request))?.answer
}

async function answerOne(
  asking: QueuedQuestion,
  { ports, routes, answers = {}, warn }: AnswerPortOptions,
): Promise<Answer> {
  const { request } = asking.question
  const route = findRoute(routes, request.id)
  const presetAnswer = Object.hasOwn(answers, request.id) ? answers[request.id] : undefined
  for (const [value, whose] of [
    [presetAnswer, 'given'],
    [route.answer, 'configured'],
  ] as const) {
    if (value === undefined) continue
    const problem = findValidationError(value, whose, asking.question)
    if (problem === undefined) return await take(value, asking)
    warn(problem)
  }
  const { source } = asking.context
  const answerers = chooseAnswerers(request, { route, source, ports })
  const messages = new Map<AskedParty, string | undefined>()
  for (const answerer of answerers) {
    if (answerer.kind === 'default') return await take(answerer.value, asking)
    const came = await askUntilItFits(answerer, asking)
    if (came.action !== 'cancel' || came.reason !== 'nobody') return came
    messages.set(answerer.asked, came.message)
  }
  const message = explainNobody(request, { route, source, messages })
  const nobody: Answer = { action: 'cancel', reason: 'nobody', message }
  if (answerers.length > 0) return nobody
  const conclude = await asking.put(request, 'nobody')
  await conclude(nobody)
  return nobody
}

/** Returns the reason why an answer known in advance is invalid. */
function findValidationError(
  value: JsonValue,
  whose: 'given' | 'configured',
  { request, check }: PreparedQuestion,
): InquiryProblem | undefined {
  const { verdict, problems } = check(value)
  if (verdict === 'valid') return undefined
  const reason = describeValidationError(request, problems)
  const message = `the ${whose} answer to "${request.id}" is invalid and was not used: ${reason}`
  return {
    path: `${appendPointer('/questions', request.id)}/answer`,
    message,
    code: 'static-answer',
  }
}

async function take(value: JsonValue, { question, put }: QueuedQuestion): Promise<Answer> {
  const taken: Answer = { action: 'accept', value }
  const conclude = await put(question.request, 'static')
  await conclude(taken)
  return taken
}

/** How often one question is asked before invalid answers end it. */
const MAX_ATTEMPTS = 3

type PortAnswerer = Extract<Answerer, { kind: 'port' }>

interface PortUse {
  answerer: PortAnswerer
  asking: QueuedQuestion
}

/** Asks a question through a port. After an invalid answer, it asks again with the problems. */
async function askUntilItFits(answerer: PortAnswerer, asking: QueuedQuestion): Promise<Answer> {
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

/** An error of a port becomes a warning, and the reason of the answer. */
async function askPort(
  request: InputRequest,
  context: QuestionContext,
  { answerer, asking }: PortUse,
): Promise<Answer> {
  if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
  try {
    const portContext = answerer.asked === 'user' ? asking.show(context) : context
    return await withinGrace(async () => await answerer.port(request, portContext), {
      signal: context.signal,
      ms: PORT_GRACE_MS,
      whenLate: () => {
        const who = `the answerer of "${request.id}" (${answerer.asked})`
        asking.warn(createNotSettledWarning(who, PORT_GRACE_MS))
        return { action: 'cancel', reason: 'aborted' }
      },
    })
  } catch (error) {
    if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
    const reason = getErrorText(error)
    const message = `asking "${request.id}" failed: ${reason}`
    asking.warn({ path: '', message, code: 'port-failed' })
    return { action: 'cancel', reason: 'failed', message }
  }
}

/** If a schema cannot be checked, a person may confirm an answer, but a model may not give one. */
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
      const text = `The answer to "${request.text}" could not be checked (${reason}). Use it anyway?`
      const confirmation = booleanQuestion({ id: `${request.id}.unchecked`, text, default: false })
      const conclude = await use.asking.put(confirmation, 'user')
      const confirmed = await askPort(confirmation, context, use)
      await conclude(confirmed)
      return confirmed.action === 'accept' && confirmed.value === true ? [] : problems
    }
  }
}

/** A model with only invalid answers has failed. A person has not, and may be asked again later. */
function tooManyTries(
  request: InputRequest,
  { asked }: PortAnswerer,
  problems: readonly Problem[],
): Answer {
  const reason = describeValidationError(request, problems)
  const message = `no answer to "${request.id}" was valid in ${MAX_ATTEMPTS} attempts; the last one: ${reason}`
  switch (asked) {
    case 'user':
      return { action: 'cancel', reason: 'wrong-answer', message }
    case 'assistant':
      return { action: 'cancel', reason: 'failed', message }
  }
}
