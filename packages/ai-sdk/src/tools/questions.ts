import { requireArguments } from '@toolblocks/protocol/internal'
import {
  answerPendingQuestion,
  type AnswerResult,
  createPendingPorts,
  listPendingQuestions,
  type PendingQuestion,
  type PersonAnswer,
  type QuestionKey,
  type QuestionStorage,
} from '@toolblocks/inquiry/pending'
import type {
  Answer,
  AnswerQuestion,
  ContentBlock,
  InputRequest,
  QuestionContext,
} from '@toolblocks/protocol'
import { createMemoryStorage } from './memory-storage.ts'

/** A question of a tool, as a page receives it: the `data` of a part `data-question`. */
export interface QuestionData {
  /** Names the question in an answer. */
  id: string
  /** The id of the call that asks. */
  callId: string
  /** The name of the tool that asks, as its definition has it. */
  tool: string
  /** The configured name of the MCP server that asks. Absent: the tool asks. */
  server?: string
  /** The question with its JSON Schema. The default of a secret is not in it. */
  request: InputRequest
  /** What a person must see before the answer. It is untrusted: render it with `@toolblocks/renderer`. */
  blocks: readonly ContentBlock[]
  /** The blocks after the question. */
  after?: readonly ContentBlock[]
  /** Whether it can be answered. `withdrawn`: its call does not wait for an answer any more. */
  state: 'open' | 'answered' | 'declined' | 'expired' | 'withdrawn'
}

/** Questions of tools that people answer in a page. */
export interface Questions {
  /**
   * Answers a question of a conversation; a route handler calls it with the answer of a page. The caller must check that the person may answer
   * questions of this conversation; a question of another one is unknown. The first valid answer counts. A secret reaches only a call that waits in
   * this process, and is never stored.
   */
  answer(question: QuestionKey, answer: PersonAnswer): Promise<AnswerResult>
  /** Lists the open questions of a conversation, the oldest first, for a page that is opened again. */
  list(conversation: string): Promise<readonly QuestionData[]>
  /** Where the questions are. `toAiSdkTools` writes them. */
  readonly storage: QuestionStorage
  /** Whether a question stays open when its request ends. */
  readonly staysOpen: boolean
  /** The calls that wait in this process, by the id of their question. `toAiSdkTools` adds them. */
  readonly waiting: Map<string, (answer: Answer) => void>
  /** Frees the memory of a question whose call has its answer. `toAiSdkTools` calls it. What is in a storage stays. */
  release(id: string): void
}

/**
 * Creates the questions of an application; one object serves all its requests. With `storage`, for example `documents` of a conversation store, a
 * question can be answered in any process, also after its request has ended. Without it, a question ends with its request, and its call has the
 * outcome `unanswered`; only its end is kept in memory, for the last 10,000 questions.
 */
export function createQuestions(options: { storage?: QuestionStorage } = {}): Questions {
  requireArguments('createQuestions(options)', [options, 'object?'])
  const { storage } = options
  const { storage: kept, release } = storage
    ? { storage, release: () => {} }
    : createMemoryStorage()
  const waiting: Questions['waiting'] = new Map()
  return {
    storage: kept,
    staysOpen: storage !== undefined,
    waiting,
    release,
    answer: async (key, personAnswer) => {
      const result = await answerPendingQuestion(key, personAnswer, { storage: kept })
      const wait = !result.ok && result.why === 'local' ? waiting.get(key.id) : undefined
      if (!wait || result.ok || result.why !== 'local') return result
      const { question, problems } = result
      if (problems.length > 0) return { ok: false, why: 'invalid', question, problems }
      // The first answer counts.
      waiting.delete(key.id)
      wait(personAnswer.answer)
      return { ok: true, question }
    },
    list: async (conversation) => {
      const { questions } = await listPendingQuestions(
        { conversation, state: 'open' },
        { storage: kept },
      )
      return questions.filter(({ kind }) => kind === 'question').map(toQuestionData)
    },
  }
}

/** Returns what a page is shown of a question. The answer is not in it. */
export function toQuestionData(question: PendingQuestion): QuestionData {
  const { id, call, server, request, blocks, after, state } = question
  return {
    id,
    callId: call.id,
    tool: call.name,
    ...(server !== undefined && { server }),
    request,
    blocks,
    ...(after && { after }),
    state,
  }
}

/** Creates the port through which the calls of one request ask. `show` receives each question when it opens and when it ends. */
export function createQuestionPort(
  questions: Questions,
  {
    conversation,
    getDefinition,
    show,
    useAnswer,
  }: {
    conversation: string
    getDefinition: (tool: string) => string | undefined
    show: (question: QuestionData) => void
    /** Resolves to `false` if another request has made the call again with the answer. */
    useAnswer: (questionId: string) => Promise<boolean>
  },
): AnswerQuestion {
  /** The latest question of each request of a call. */
  const open = new Map<string, PendingQuestion>()
  const { storage, staysOpen, waiting, release } = questions
  /** Ids of questions that stay open after their request. */
  const parked = new Set<string>()

  /** Waits for an answer that must not be stored. Other answers come through the storage. */
  async function waitHere(
    request: InputRequest,
    { source, signal }: QuestionContext,
  ): Promise<Answer> {
    const id = open.get(getKey(source.call?.id, request))?.id
    // A question of a server outside a call has no place in a page.
    if (id === undefined) return { action: 'cancel', reason: 'nobody' }
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const end = (): void => resolve({ action: 'cancel', reason: 'aborted' })
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    waiting.set(id, resolve)
    const answer = await promise
    // Another request may wait for the same question meanwhile.
    if (waiting.get(id) === resolve) waiting.delete(id)
    return answer
  }

  const { user } = createPendingPorts({
    pending: { storage },
    waiting: {
      whenUnanswered: 'wait',
      staysOpen: () => staysOpen,
      onOpen: (question) => {
        open.set(getKey(question.call.id, question.request), question)
        show(toQuestionData(question))
      },
    },
    conversation,
    turn: 1,
    agents: [],
    host: 'ai-sdk',
    people: { user: waitHere },
    getDefinition,
    earlier: [],
    park: ({ id }) => void parked.add(id),
  })

  return async (request, context) => {
    const answer = await user(request, context)
    const question = open.get(getKey(context.source.call?.id, request))
    if (question) {
      if (!parked.has(question.id)) show({ ...toQuestionData(question), state: toState(answer) })
      release(question.id)
      if (answer.action === 'accept' && !(await useAnswer(question.id))) return USED
    }
    return context.signal.aborted && !staysOpen ? UNANSWERED : answer
  }
}

const UNANSWERED: Answer = {
  action: 'cancel',
  reason: 'nobody',
  message: 'the request of the page ended before the answer',
}

const USED: Answer = {
  action: 'cancel',
  reason: 'aborted',
  message: 'another request has made the call again with the answer',
}

function getKey(call: string | undefined, { id, text }: InputRequest): string {
  return JSON.stringify([call, id, text])
}

function toState(answer: Answer): QuestionData['state'] {
  switch (answer.action) {
    case 'accept':
      return 'answered'
    case 'decline':
      return 'declined'
    case 'cancel':
      return answer.reason === 'expired' ? 'expired' : 'withdrawn'
  }
}
