import {
  type Answer,
  type AnswerQuestion,
  type Answers,
  appendPointer,
  type AskedParty,
  type AskPorts,
  type ContentBlock,
  type JsonValue,
  type QuestionContext,
} from '@toolblocks/protocol'
import type { RecordInquiry } from '../record-inquiry.ts'
import { describeMisfit } from '../questions/describe-misfit.ts'
import { prepareQuestion, type PreparedQuestion } from '../questions/prepare-question.ts'
import { createQuestionLog } from '../questions/question-log.ts'
import { routeOf, type Routes } from '../routes.ts'
import { askUntilItFits } from './ask-until-it-fits.ts'
import type { Asking } from './asking.ts'
import { chooseAnswerers } from './choose-answerers.ts'
import { explainNobody } from './explain-nobody.ts'
import type { InquiryProblem } from '../inquiry-problem.ts'

/** What one port is made of. */
export interface AnswerPortOptions {
  ports: AskPorts
  /** By question id. */
  routes: Routes
  /** Answers known before; each is taken before the answer of a route, if it fits. */
  answers?: Answers
  /** Begins the id of every recorded event. */
  callId: string
  /** Gets every question before it is put, and what came of it; a rejection fails the question. */
  record: RecordInquiry
  /** Gets what was dropped or ignored on the way. */
  warn: (problem: InquiryProblem) => void
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
      put: async (asked, party) => await put(asked, party, context.signal),
      show,
    }
    return await answer(asking, options)
  }
}

async function answer(
  asking: Asking,
  { ports, routes, answers = {}, warn }: AnswerPortOptions,
): Promise<Answer> {
  const { request } = asking.question
  const route = routeOf(routes, request.id)
  const given = Object.hasOwn(answers, request.id) ? answers[request.id] : undefined
  for (const [value, whose] of [
    [given, 'given'],
    [route.answer, 'configured'],
  ] as const) {
    if (value === undefined) continue
    const problem = findMisfit(value, whose, asking.question)
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
function findMisfit(
  value: JsonValue,
  whose: 'given' | 'configured',
  { request, check }: PreparedQuestion,
): InquiryProblem | undefined {
  const { verdict, problems } = check(value)
  if (verdict === 'valid') return undefined
  const reason = describeMisfit(request, problems)
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
