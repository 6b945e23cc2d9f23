import {
  type AnsweredQuestion,
  type AnswerQuestion,
  type Answers,
  type CallContext,
  type ContentBlock,
  type JsonValue,
  type QuestionContent,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  createErrorResult,
  createFailure,
} from '@toolblocks/protocol'
import {
  getOwnField,
  type FoundQuestion,
  askQuestions,
  describeUnanswered,
  findQuestions,
  toToolContext,
  requireArguments,
  appendPointer,
  MAX_INQUIRY_ROUNDS,
  TOOL_GRACE_MS,
  withinGrace,
  META_STATUS,
  createNotSettledWarning,
  describeThrown,
  isStatus,
  withWarnings,
} from '@toolblocks/protocol/internal'
import { createAnswerPort } from './answers/create-answer-port.ts'
import type { InquiryProblem } from './questions/inquiry-problem.ts'
import type { RecordInquiry } from './questions/question-log.ts'
import type { QuestionRoutes } from './questions/routes.ts'

/** Options of `runInquiry`. */
export interface InquiryOptions {
  /** The ports to people and models, and the context that the tool receives. */
  context: CallContext
  /** The routes by question id. A question without a route goes to the user. */
  routes?: QuestionRoutes
  /** The tool's own settings. */
  options?: Readonly<Record<string, unknown>>
  /** Receives every question before it is asked, and then its answer. */
  record?: RecordInquiry
}

/**
 * Runs a call, gets its questions answered, and runs it again with all answers until it asks no more questions. Only the last result is the result;
 * an earlier one with questions is used for its questions. Never rejects because of the tool or an answerer: a tool that throws gives a result with
 * `isError` and the error's message.
 */
export async function runInquiry(
  tool: Tool,
  call: ToolCall,
  inquiry: InquiryOptions,
): Promise<ToolResult> {
  requireArguments(
    'runInquiry(tool, call, inquiry)',
    [tool, { execute: 'function' }],
    [call, 'object'],
    [inquiry, 'object'],
  )
  const warnings: InquiryProblem[] = []
  return withWarnings(await runRounds(tool, call, { ...inquiry, warnings }), { after: warnings })
}

async function runRounds(
  tool: Tool,
  call: ToolCall,
  inquiry: InquiryOptions & { warnings: InquiryProblem[] },
): Promise<ToolResult> {
  const { options, warnings } = inquiry
  const { ask: ports = {}, answers: known = {}, answered = [] } = inquiry.context
  const { unanswered = 'fail' } = inquiry.context
  const ask = createAnswerPort({
    ports,
    routes: inquiry.routes ?? {},
    answers: known,
    answered,
    callId: call.id,
    record: inquiry.record ?? (() => {}),
    warn: (problem) => warnings.push(problem),
  })
  const context = toToolContext(inquiry.context, { ask, ...(options && { options }) })
  const earlier = readEarlierAnswers(answered)
  if ('result' in earlier) return earlier.result
  let { answers } = earlier
  for (let round = 1; round <= MAX_INQUIRY_ROUNDS; round++) {
    const result = await executeTool(tool, call, { context: { ...context, answers }, warnings })
    // A tool that stays alive asks by itself and has reported that nobody answered.
    if (result.metadata?.outcome === 'unanswered') return result
    const envelope = readEnvelope(result, tool)
    warnings.push(...envelope.warnings)
    if (!envelope.asks) return result
    const asked = await askAll(findQuestions(result), { answers, ask, call, context, warnings })
    if (asked.kind === 'ended') {
      const isReturned = unanswered === 'return' && asked.result.metadata?.outcome === 'unanswered'
      const metadata = { ...result.metadata, outcome: 'unanswered' } as const
      return isReturned ? { ...result, isError: true, metadata } : asked.result
    }
    answers = asked.answers
  }
  return createFailure(
    `The tool "${tool.name}" asked for ${MAX_INQUIRY_ROUNDS} rounds and was stopped.`,
  )
}

/** Returns the accepted answers of earlier runs, or the result of the call if one of their questions was not answered. */
function readEarlierAnswers(
  answered: readonly AnsweredQuestion[],
): { answers: Answers } | { result: ToolResult } {
  const answers: [string, JsonValue][] = []
  for (const { request, answer, blocks } of answered) {
    if (answer.action !== 'accept') return { result: describeUnanswered(request, answer, blocks) }
    answers.push([request.id, answer.value])
  }
  return { answers: Object.fromEntries(answers) }
}

/** Returns the tool's result. A tool that throws has failed, or was cancelled if the caller's signal aborted. */
async function executeTool(
  tool: Tool,
  call: ToolCall,
  { context, warnings }: Pick<InquiryRound, 'context' | 'warnings'>,
): Promise<ToolResult> {
  const { signal } = context
  const createLateResult = (): ToolResult => {
    warnings.push(createNotSettledWarning(`the tool "${tool.name}"`, TOOL_GRACE_MS))
    const text = `The call of "${call.name}" was cancelled, and the tool did not end.`
    return createErrorResult(text, call.id, { outcome: 'cancelled' })
  }
  try {
    const work = async (): Promise<ToolResult> => await tool.execute(call, context)
    return await withinGrace(work, { signal, ms: TOOL_GRACE_MS, whenLate: createLateResult })
  } catch (error) {
    return { ...describeThrown(call.name, error, context), id: call.id }
  }
}

/** What the host does with a result. */
interface Envelope {
  /** Whether its questions are asked. If not, the result is final, with its questions. */
  asks: boolean
  warnings: readonly InquiryProblem[]
}

/** Reads a result of a one-shot tool. An inconsistent result ends the inquiry, with a warning. */
function readEnvelope(result: ToolResult, tool: Tool): Envelope {
  const { _meta: meta } = result
  const status: unknown = meta && getOwnField(meta, META_STATUS)
  const hasQuestions = result.content.some(isQuestion)
  if (status !== undefined && !isStatus(status))
    return endInquiry(`the status ${JSON.stringify(status)} is unknown; the call counts as stopped`)
  if (status === 'running' && !tool.spawn)
    return endInquiry('the tool says that it is running, but it is not declared stateful')
  if (status === 'waiting' && !hasQuestions)
    return endInquiry('the tool says that it is waiting, but it asks nothing')
  const questions = result.content.filter(isQuestion)
  if (questions.some(({ question }) => question.id === ''))
    return endInquiry(
      'a question without an id cannot be answered, so nothing was asked',
      '/content',
    )
  if (hasQuestions && result.isError) return endInquiry('questions of a failed call are not asked')
  if (hasQuestions && status === 'stopped')
    return endInquiry('questions of a tool that says it has stopped are not asked')
  return { asks: hasQuestions, warnings: [] }
}

const AT_STATUS = appendPointer('/_meta', META_STATUS)

function endInquiry(message: string, path = AT_STATUS): Envelope {
  return { asks: false, warnings: [{ path, message, code: 'inconsistent-result' }] }
}

/** Also with an invalid schema, which is reported when the question is asked. */
function isQuestion(block: ContentBlock): block is QuestionContent {
  return block.type === 'question'
}

interface InquiryRound {
  answers: Answers
  ask: AnswerQuestion
  call: ToolCall
  context: ToolContext
  warnings: InquiryProblem[]
}

async function askAll(
  questions: readonly FoundQuestion[],
  { answers, ask, call, context, warnings }: InquiryRound,
): Promise<{ kind: 'answers'; answers: Answers } | { kind: 'ended'; result: ToolResult }> {
  const unusable = await findUnusable(questions, answers)
  if (unusable) return { kind: 'ended', result: createFailure(unusable) }
  const first = new Map(questions.toReversed().map((each) => [each.request.id, each]))
  for (const question of questions) {
    const { id } = question.request
    if (first.get(id) === question) continue
    const message = `the question "${id}" was asked twice in one result; the second was omitted`
    warnings.push({ path: '', message, code: 'repeated-question' })
  }
  const source = { kind: 'question', call } as const
  const unique = questions.filter((each) => first.get(each.request.id) === each)
  const asked = await askQuestions(unique, { ask, source, signal: context.signal })
  return asked.kind === 'answers'
    ? { kind: 'answers', answers: { ...answers, ...asked.answers } }
    : { kind: 'ended', result: describeUnanswered(asked.request, asked.answer, asked.blocks) }
}

/** Returns the reason why none of these questions can be asked. */
async function findUnusable(
  questions: readonly FoundQuestion[],
  answers: Answers,
): Promise<string | undefined> {
  for (const { request } of questions) {
    if (Object.hasOwn(answers, request.id))
      return `The tool asked "${request.id}" again although it was answered; it must read tool.answers.`
    // Most calls ask nothing and never load the validator.
    const { compileSchema } = await import('@toolblocks/schema-check')
    const compiled = compileSchema(request.schema)
    if (!compiled.ok) {
      const reasons = compiled.problems.map(({ path, message }) => `${path || '/'} ${message}`)
      return `The tool asked "${request.id}" with an invalid schema: ${reasons.join('; ')}`
    }
  }
  return undefined
}
