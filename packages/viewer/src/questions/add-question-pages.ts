import { isDeepStrictEqual } from 'node:util'
import { type ConversationStore, describeConversation } from '@toolblocks/conversation-store'
import {
  createQuestionForm,
  type FormDraft,
  locateProblems,
  readDraft,
} from '@toolblocks/inquiry/form'
import {
  answerPendingQuestion,
  listPendingQuestions,
  type PendingQuestion,
  type PersonAnswer,
  readPendingQuestion,
} from '@toolblocks/inquiry/pending'
import type { SafeHtml } from '@toolblocks/protocol'
import { markup } from '@toolblocks/renderer/internal/html'
import type { Context, Hono } from 'hono'
import { type PageAccount, type PageFrame, renderLayout } from '../pages/render-pages.ts'
import { describeContinued, hasContinued } from '../reading/continued-call.ts'
import { findPersonConversation } from '../reading/find-person-conversation.ts'
import { readShortIds } from '../reading/short-ids.ts'
import type { CardOptions } from '../timeline/card-frame.ts'
import { getInputNames, type SentDraft } from './render-form.ts'
import {
  getQuestionAddress,
  type PlacedQuestion,
  renderQuestion,
  renderQuestionItems,
  renderQuestions,
  renderState,
} from './render-question.ts'
import type { QuestionWatch } from '../reading/watch-questions.ts'

/** How people answer questions on the pages. */
export interface AnswerPagesOptions {
  /** Describes, in one line, what happens after the answer to a question: which host continues, or how a person continues. */
  describeNext: (question: PendingQuestion) => Promise<string>
  /** Whether the call of a settled question has continued. Default: what the events of its conversation say. */
  hasContinued?: (question: PendingQuestion) => Promise<boolean>
  /** Whether the person who reads the pages may answer a question. Default: she may answer all. */
  mayAnswer?: (question: PendingQuestion) => Promise<boolean>
  /** Who answers, for the record. Default: `page`. */
  by?: string
}

/** What the pages of questions need. */
interface QuestionPages {
  store: ConversationStore
  /** The name of the store. */
  name: string
  options: CardOptions
  answers: AnswerPagesOptions | undefined
  watch: QuestionWatch
  account: PageAccount | undefined
}

/** Renders the questions that are open now, for other pages. */
export interface OpenQuestionLists {
  /** Empty if there are no questions. */
  renderWaiting(): Promise<SafeHtml>
  /** The oldest ones. */
  renderOldest(): Promise<SafeHtml>
}

/** The number of questions in a list of the oldest ones. */
const OLDEST = 20

/** Adds the pages `/questions` and `/question?id=`, and with `answers` the target of their forms, `POST /answer`. */
export function addQuestionPages(
  app: Hono,
  { store, name, options, answers, watch, account }: QuestionPages,
): OpenQuestionLists {
  const storage = { storage: store.documents }
  const { describeHost = (host) => host } = options

  async function renderItems(questions: readonly PendingQuestion[]): Promise<SafeHtml> {
    const placedQuestions = await Promise.all(questions.map(locate))
    return renderQuestionItems(placedQuestions, { now: new Date(), describeHost })
  }

  const readFrame = async (): Promise<PageFrame> => ({
    open: await watch.read(),
    ...(account && { account }),
  })
  const mayAnswer = async (question: PendingQuestion): Promise<boolean> =>
    (await answers?.mayAnswer?.(question)) ?? answers !== undefined

  app.get('/questions', async (context) => {
    const which = context.req.query('all') === undefined ? 'open' : 'all'
    const frame = await readFrame()
    const { questions, unreadable } = await listPendingQuestions(
      which === 'open' ? { state: 'open' } : {},
      storage,
    )
    const list = await renderItems(questions)
    if (context.req.query('part') !== undefined) return context.html(list)
    const page = renderQuestions(list, { which, unreadable, name })
    return context.html(renderLayout(page, { title: 'Questions', ...frame }))
  })

  app.get('/question', async (context) => {
    const frame = await readFrame()
    const question = await readPendingQuestion(context.req.query('id') ?? '', storage)
    if (!question) return respondUnknown(context, frame)
    if (context.req.query('part') !== undefined) return context.html(await renderPresent(question))
    return context.html(await renderPage(question, { frame }))
  })

  const { by = 'page' } = answers ?? {}
  if (answers)
    app.post('/answer', async (context) => {
      const form = new URLSearchParams(await context.req.text())
      const question = await readPendingQuestion(form.get('id') ?? '', storage)
      const frame = await readFrame()
      if (!question) return respondUnknown(context, frame)
      if (!(await mayAnswer(question)))
        return context.text('You may not answer this question.\n', 403)
      const read = readAnswer(question, form)
      if ('problems' in read)
        return question.state === 'open' && !question.isLocal
          ? context.html(await renderPage(question, { frame, sent: read }), 422)
          : context.html(await renderPage(question, { frame, lost: true }), 409)
      const result = await answerPendingQuestion(question, { ...read.answer, by }, storage)
      // The address of the page is loaded again without another answer.
      if (result.ok) return context.redirect(getQuestionAddress(question.id), 303)
      switch (result.why) {
        case 'unknown':
          return respondUnknown(context, frame)
        case 'settled':
        case 'local': {
          const counts = isSettledBy(result.question, read.answer)
          const page = await renderPage(result.question, { frame, ...(!counts && { lost: true }) })
          return context.html(page, 409)
        }
        case 'invalid': {
          const problems = locateProblems(createQuestionForm(question.request), result.problems)
          const sent = { draft: read.draft, problems }
          return context.html(await renderPage(result.question, { frame, sent }), 422)
        }
      }
    })

  async function locate(question: PendingQuestion): Promise<PlacedQuestion> {
    const resume = await findPersonConversation(store, question.conversation)
    const { title = (await readShortIds(store))(resume) } = await describeConversation(
      store,
      resume,
    )
    return { question, resume, title }
  }

  async function renderPage(
    question: PendingQuestion,
    { frame, sent, lost }: { frame: PageFrame; sent?: SentDraft; lost?: true },
  ): Promise<SafeHtml> {
    const placedQuestion = await locate(question)
    const fields = createQuestionForm(question.request)
    const page = renderQuestion({
      ...placedQuestion,
      options,
      isForOthers: answers !== undefined || account !== undefined,
      state: await renderPresent(question, lost),
      ...((await mayAnswer(question)) && { form: { fields, ...(sent && { sent }) } }),
    })
    const title = question.kind === 'approval' ? 'Approval' : 'Question'
    return renderLayout(page, { title: `${title} ${question.id}`, ...frame })
  }

  async function renderPresent(question: PendingQuestion, lost?: true): Promise<SafeHtml> {
    return renderState(question, {
      now: new Date(),
      next: await describeNext(question),
      describeHost,
      ...(lost && { lost }),
    })
  }

  /** Describes what happens next with an answer, if it is known. */
  async function describeNext(question: PendingQuestion): Promise<string | undefined> {
    const { state } = question
    if (!answers || (state !== 'answered' && state !== 'declined')) return undefined
    const isUsed = await (answers.hasContinued?.(question) ?? hasContinued(store, question))
    return isUsed ? describeContinued(question) : await answers.describeNext(question)
  }

  return {
    renderWaiting: async () => {
      const { questions } = await listPendingQuestions({ state: 'open' }, storage)
      return questions.length === 0
        ? markup``
        : markup`<h2>Waiting for you</h2>${await renderItems(questions)}<h2>All conversations</h2>`
    },
    renderOldest: async () => {
      const { questions } = await listPendingQuestions({ state: 'open' }, storage)
      const more = questions.length - OLDEST
      const rest =
        more > 0 ? markup`<p><a href="questions">${more} more questions wait</a></p>` : markup``
      return markup`${await renderItems(questions.slice(0, OLDEST))}${rest}`
    },
  }
}

function respondUnknown(context: Context, frame: PageFrame): Response | Promise<Response> {
  const page = markup`<div class="tb-page"><h1>Questions</h1><p>There is no such question.</p></div>`
  return context.html(renderLayout(page, { title: 'Questions', ...frame }), 404)
}

/** Whether the answer that counts is the same, for example because a person has pressed the button twice. */
function isSettledBy(
  { state, settled }: PendingQuestion,
  { answer, reason }: Pick<PersonAnswer, 'answer' | 'reason'>,
): boolean {
  return answer.action === 'accept'
    ? state === 'answered' && isDeepStrictEqual(settled?.value, answer.value)
    : state === 'declined' && settled?.reason === reason
}

/** A form sends each line end as CRLF. */
function readLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Reads a sent form: the answer, or what was typed and its problems. */
function readAnswer(
  { kind, request }: PendingQuestion,
  form: URLSearchParams,
): { answer: Omit<PersonAnswer, 'by'>; draft: FormDraft } | SentDraft {
  const reason = readLineEnds(form.get('reason') ?? '').trim()
  const draft: FormDraft = new Map(
    getInputNames(createQuestionForm(request)).map(([sent, name]) => [
      name,
      form.getAll(sent).map(readLineEnds),
    ]),
  )
  switch (form.get('action')) {
    case 'decline':
      return { answer: { answer: { action: 'decline' }, ...(reason !== '' && { reason }) }, draft }
    case 'accept': {
      if (kind === 'approval')
        return { answer: { answer: { action: 'accept', value: true } }, draft }
      const read = readDraft(request, draft)
      return read.ok
        ? { answer: { answer: { action: 'accept', value: read.value } }, draft }
        : { draft, problems: read.problems }
    }
    case null:
    default:
      return { draft, problems: [{ message: 'the form has no decision' }] }
  }
}
