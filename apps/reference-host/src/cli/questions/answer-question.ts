import { type ConversationStore, readLeaseHolder } from '@toolblocks/conversation-store'
import {
  answerPendingQuestion,
  type AnswerResult,
  awaitPendingQuestion,
  type PendingQuestion,
  type PersonAnswer,
  SettledElsewhere,
} from '@toolblocks/inquiry/pending'
import type { QuestionSource } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import { describeAsked, describeLocal, findPersonConversation } from '@toolblocks/viewer/questions'
import { describeHost } from '../../process/agent-host.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { askWhetherToRun, previewArguments } from '../../terminal/ask/ask-approval.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { describeSettled } from '../../terminal/describe-question.ts'
import { readAnswer } from '../../terminal/typed/read-answer.ts'
import type { OpenConversations } from '../../workspace/conversations/with-conversations.ts'
import { describeNext } from '../../workspace/questions/describe-next.ts'
import { withQuestion } from './find-question.ts'
import { getQuestionOptions } from '../../workspace/questions/question-options.ts'

/** The options of `toolblocks questions answer ID` and of `decline`. */
export interface AnswerQuestionOptions extends SharedOptions {
  /** The answer, as text or JSON. */
  answer?: string
  yes?: boolean
  no?: boolean
  /** The reason of a denial, which the model reads. */
  reason?: string
}

/** `toolblocks questions answer ID`: answers a question that waits, as given by the options or by the person at the terminal. */
export async function answerQuestion(
  context: CommandContext,
  typed: string,
  options: AnswerQuestionOptions,
): Promise<number> {
  return await withQuestion(typed, { context, options }, async (opened) => {
    const { question } = opened
    const { id, state, isLocal } = question
    if (state !== 'open') {
      const isGiven = options.yes === true || options.no === true || options.answer !== undefined
      const settled = `${id}: ${describeSettled(question)}`
      return reportError(context, isGiven ? `${settled} ${NOT_COUNTED}` : settled)
    }
    if (isLocal) return reportError(context, await explainLocal(opened.store, question))
    const read = await readOptions(question, options)
    if (read && !read.ok) return reportError(context, read.message, EXIT.usage)
    if (read)
      return await settle({ ...read.givenAnswer, by: 'command' }, { context, opened, options })
    if (!context.terminal.isInteractive || options.output === 'json')
      return reportError(
        context,
        'no person can be asked: add --answer, --yes or --no',
        EXIT.unanswered,
      )
    const asked = await askPerson(context, opened)
    if (asked === 'settled') return EXIT.failed
    if (asked === undefined || context.signal.aborted) {
      const still = `Nothing was answered; ${question.id} still waits. Answer it later with: toolblocks questions answer ${question.id}`
      context.terminal.note(context.terminal.style.dim(still))
      return context.signal.aborted ? EXIT.cancelled : EXIT.waiting
    }
    return await settle({ ...asked, by: 'terminal' }, { context, opened, options })
  })
}

/** `toolblocks questions decline ID`: declines a question, or denies a call. */
export async function declineQuestion(
  context: CommandContext,
  typed: string,
  options: AnswerQuestionOptions,
): Promise<number> {
  const { reason } = options
  return await withQuestion(typed, { context, options }, async (opened) => {
    const personAnswer = { answer: DECLINE, by: 'command', ...(reason !== undefined && { reason }) }
    return await settle(personAnswer, { context, opened, options })
  })
}

const DECLINE = { action: 'decline' } as const

const NOT_COUNTED = 'This answer does not count.'

interface OpenedQuestion extends OpenConversations {
  question: PendingQuestion
}

type TypedAnswer = Omit<PersonAnswer, 'by'>

/** Reads the answer from the options; `undefined` if there is none. */
async function readOptions(
  { kind, request }: PendingQuestion,
  { answer, yes, no, reason }: AnswerQuestionOptions,
): Promise<{ ok: true; givenAnswer: TypedAnswer } | { ok: false; message: string } | undefined> {
  if (reason !== undefined && !(no && kind === 'approval'))
    return { ok: false, message: '--reason needs --no, and a call that waits for approval' }
  const text = yes ? 'true' : no ? 'false' : answer
  if (text === undefined) return undefined
  const read = await readAnswer(text, request)
  if (!read.ok) {
    const option = answer === undefined ? (yes ? '--yes' : '--no') : '--answer'
    const isForm = answer === undefined && kind === 'question'
    const instead = isForm
      ? '. The question asks for more than yes or no: answer it at a terminal without options, or with --answer and JSON'
      : ''
    return { ok: false, message: `${option}: ${read.message}${instead}` }
  }
  if (kind === 'approval' && read.value === false)
    return { ok: true, givenAnswer: { answer: DECLINE, ...(reason !== undefined && { reason }) } }
  return { ok: true, givenAnswer: { answer: { action: 'accept', value: read.value } } }
}

/** Asks the person at the terminal. `settled`: it was settled elsewhere meanwhile, which is reported. `undefined`: the person gave no answer. */
async function askPerson(
  context: CommandContext,
  { question, store, configuration: { root } }: OpenedQuestion,
): Promise<TypedAnswer | 'settled' | undefined> {
  const { terminal, signal: outside } = context
  const over = new AbortController()
  const elsewhere = awaitPendingQuestion(question.id, {
    ...getQuestionOptions(store),
    signal: AbortSignal.any([outside, over.signal]),
  })
  const closing = new AbortController()
  const watching = elsewhere.then((settled) => {
    if (settled) closing.abort(new SettledElsewhere(settled))
  })
  const signal = AbortSignal.any([outside, closing.signal])
  try {
    const givenAnswer =
      question.kind === 'approval'
        ? await askApproval(context, question, { root, signal })
        : await askQuestion(context, question, { root, signal })
    const { reason } = closing.signal
    if (!(reason instanceof SettledElsewhere)) return givenAnswer
    terminal.report('error', `${describeSettled(reason.question)} An answer here does not count.`)
    return 'settled'
  } finally {
    over.abort()
    await watching
  }
}

interface PromptOptions {
  root: string
  signal: AbortSignal
}

async function askApproval(
  { terminal, interrupt }: CommandContext,
  { call, blocks, ...question }: PendingQuestion,
  { root, signal }: PromptOptions,
): Promise<TypedAnswer | undefined> {
  const { colors, columns, style } = terminal
  const formatted = blocks.length === 0 ? undefined : { content: [...blocks], isError: false }
  const heading = describeAsked({ call, blocks, ...question })
  const material = joinTerminal(
    [
      joinTerminal([style.yellow('▸'), style.bold(heading)], ' '),
      previewArguments(call, formatted, { colors, columns, root }),
    ],
    '\n',
  )
  const approval = await askWhetherToRun(call, { material, signal, onInterrupt: interrupt })
  switch (approval.decision) {
    case 'allowed':
      return { answer: { action: 'accept', value: true } }
    case 'denied':
      return { answer: DECLINE, ...(approval.reason !== undefined && { reason: approval.reason }) }
    case 'cancelled':
      return undefined
  }
}

async function askQuestion(
  { terminal, interrupt }: CommandContext,
  { call, server, agents = [], request, blocks, after }: PendingQuestion,
  { root, signal }: PromptOptions,
): Promise<TypedAnswer | undefined> {
  const { createPerson } = await import('../../terminal/ask/create-person.ts')
  const person = createPerson(terminal, { root, interrupt, whenCancelled: 'Not answered' })
  const source: QuestionSource =
    server === undefined ? { kind: 'question', call } : { kind: 'elicitation', server, call }
  const text = [...agents.map((agent) => `Agent ${agent}: `), request.text].join('')
  const answer = await person?.(
    { ...request, text },
    { blocks, ...(after && { after }), source, signal },
  )
  return answer === undefined || answer.action === 'cancel' ? undefined : { answer }
}

/** Stores the answer, and reports whether it counts, and what happens next. */
async function settle(
  personAnswer: PersonAnswer,
  {
    context,
    opened,
    options,
  }: { context: CommandContext; opened: OpenedQuestion; options: AnswerQuestionOptions },
): Promise<number> {
  const { terminal } = context
  const { question, store } = opened
  const settled = await answerPendingQuestion(question, personAnswer, getQuestionOptions(store))
  if (!settled.ok) return reportError(context, await explainResult(settled, opened))
  if (options.output === 'json') {
    terminal.printJson(settled.question)
    return EXIT.ok
  }
  terminal.print(terminal.sanitize(`${question.id}: ${describeSettled(settled.question)}`))
  terminal.note(terminal.style.dim(await describeNext(store, question)))
  return EXIT.ok
}

async function explainLocal(
  store: Pick<ConversationStore, 'read' | 'documents'>,
  question: PendingQuestion,
): Promise<string> {
  const { conversation } = question
  const holder = await readLeaseHolder(store.documents, conversation)
  const isAsked = holder !== undefined && (await getQuestionOptions(store).isAsked(question))
  const resume = await findPersonConversation(store, conversation)
  const asker = isAsked ? describeHost(holder) : undefined
  return `${question.id} is ${describeLocal(question, { resume, asker })}`
}

async function explainResult(
  result: Extract<AnswerResult, { ok: false }>,
  { store, question: { id } }: OpenedQuestion,
): Promise<string> {
  switch (result.why) {
    case 'unknown':
      return `${id} does not exist any more`
    case 'settled':
      return `${id}: ${describeSettled(result.question)} ${NOT_COUNTED}`
    case 'local':
      return await explainLocal(store, result.question)
    case 'invalid':
      return `${id}: the answer does not match: ${result.problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`
  }
}

function reportError(
  { terminal }: CommandContext,
  message: string,
  code: number = EXIT.failed,
): number {
  terminal.report('error', message)
  return code
}
