import {
  createErrorResult,
  createFailure,
  describeThrown,
  describeUnanswered,
  findQuestions,
  type FoundQuestion,
  MAX_INQUIRY_ROUNDS,
  TOOL_GRACE_MS,
  toToolContext,
  type Answers,
  type AnswerQuestion,
  type CallContext,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  withinGrace,
  withWarnings,
} from '@toolblocks/protocol'
import { createAnswerPort } from './answers/create-answer-port.ts'
import type { RecordInquiry } from './record-inquiry.ts'
import { prepareQuestion } from './questions/prepare-question.ts'
import { readEnvelope } from './questions/read-envelope.ts'
import type { Routes } from './routes.ts'
import { type InquiryProblem, notSettled } from './inquiry-problem.ts'

/** What an inquiry works with. */
export interface InquiryOptions {
  /** The ports to people and models, and what is shared with the tool. */
  context: CallContext
  /** By question id; a question without a route goes to the user. */
  routes?: Routes
  /** The tool's own settings. */
  options?: Readonly<Record<string, unknown>>
  /** Gets every question before it is asked, and every answer. */
  record?: RecordInquiry
}

/**
 * Executes a call, has its questions answered, and executes it again with all answers so far, until it asks nothing more.
 * The last result is the result; a result with questions is evidence of the questions only. Never rejects for
 * anything the tool or whoever answers did: a tool that throws is a result with `isError` that says what it threw.
 */
export async function runInquiry(
  tool: Tool,
  call: ToolCall,
  inquiry: InquiryOptions,
): Promise<ToolResult> {
  const { ask: ports = {}, answers: known = {}, unanswered = 'fail' } = inquiry.context
  const warnings: InquiryProblem[] = []
  const ask = createAnswerPort({
    ports,
    routes: inquiry.routes ?? {},
    answers: known,
    callId: call.id,
    record: inquiry.record ?? (() => {}),
    warn: (problem) => warnings.push(problem),
  })
  const { options } = inquiry
  const context = toToolContext(inquiry.context, { ask, ...(options && { options }) })
  let answers: Answers = {}
  for (let round = 1; round <= MAX_INQUIRY_ROUNDS; round++) {
    const result = await executeTool(tool, call, { context: { ...context, answers }, warnings })
    // A tool that stays alive asks by itself, and has said then that nobody answered.
    if (result.metadata?.outcome === 'unanswered') return withWarnings(result, { after: warnings })
    const envelope = readEnvelope(result, tool)
    warnings.push(...envelope.warnings)
    if (!envelope.asks) return withWarnings(result, { after: warnings })
    const asked = await askAll(findQuestions(result), { answers, ask, call, context, warnings })
    if (asked.kind === 'ended') {
      const isReturned = unanswered === 'return' && asked.result.metadata?.outcome === 'unanswered'
      const ended = isReturned ? asUnanswered(result) : asked.result
      return withWarnings(ended, { after: warnings })
    }
    answers = asked.answers
  }
  const text = `The tool "${tool.name}" asked for ${MAX_INQUIRY_ROUNDS} rounds and was stopped.`
  return withWarnings(createFailure(text), { after: warnings })
}

/** The tool's result; one that throws has failed, or was cancelled where the caller gave the signal. */
async function executeTool(
  tool: Tool,
  call: ToolCall,
  { context, warnings }: Pick<Round, 'context' | 'warnings'>,
): Promise<ToolResult> {
  const { signal } = context
  const whenLate = (): ToolResult => {
    warnings.push(notSettled(`the tool "${tool.name}"`, TOOL_GRACE_MS))
    const text = `The call of "${call.name}" was cancelled, and the tool did not end.`
    return createErrorResult(text, call.id, { outcome: 'cancelled' })
  }
  try {
    const work = async (): Promise<ToolResult> => await tool.execute(call, context)
    return await withinGrace(work, { signal, ms: TOOL_GRACE_MS, whenLate })
  } catch (error) {
    return { ...describeThrown(call.name, error, context), id: call.id }
  }
}

interface Round {
  answers: Answers
  ask: AnswerQuestion
  call: ToolCall
  context: ToolContext
  warnings: InquiryProblem[]
}

/** All answers with those of this round, or the result that ends the inquiry. */
type AnsweredRound = { kind: 'answers'; answers: Answers } | { kind: 'ended'; result: ToolResult }

async function askAll(
  questions: readonly FoundQuestion[],
  { answers, ask, call, context, warnings }: Round,
): Promise<AnsweredRound> {
  const unusable = await findUnusable(questions, answers)
  if (unusable) return { kind: 'ended', result: createFailure(unusable) }
  const collected = new Map(Object.entries(answers))
  const asked = new Set<string>()
  for (const { request, blocks, after } of questions) {
    if (asked.has(request.id)) {
      const message = `the question "${request.id}" was asked twice in one answer; the second was left out`
      warnings.push({ path: '', message, code: 'repeated-question' })
      continue
    }
    asked.add(request.id)
    const source = { kind: 'question', call } as const
    const answer = await ask(request, { blocks, after, source, signal: context.signal })
    if (answer.action !== 'accept')
      return { kind: 'ended', result: describeUnanswered(request, answer, blocks) }
    collected.set(request.id, answer.value)
  }
  return { kind: 'answers', answers: Object.fromEntries(collected) }
}

/** Why none of these questions can be asked. */
async function findUnusable(
  questions: readonly FoundQuestion[],
  answers: Answers,
): Promise<string | undefined> {
  for (const { request } of questions) {
    if (Object.hasOwn(answers, request.id))
      return `The tool asked "${request.id}" again although it was answered; it must read tool.answers.`
    const prepared = await prepareQuestion(request)
    if (!prepared.ok) {
      const reasons = prepared.problems.map(({ path, message }) => `${path || '/'} ${message}`)
      return `The tool asked "${request.id}" with a schema that is none: ${reasons.join('; ')}`
    }
  }
  return undefined
}

function asUnanswered(result: ToolResult): ToolResult {
  return { ...result, isError: true, metadata: { ...result.metadata, outcome: 'unanswered' } }
}
