import { requireArguments, requireChoices } from '@toolblocks/protocol/internal'
import type { Answer, JsonValue, Problem } from '@toolblocks/protocol'
import { prepareQuestion } from '../questions/prepare-question.ts'
import {
  isPendingQuestion,
  PENDING_STATES,
  type PendingQuestion,
  type PendingState,
  type Settlement,
  toPresentState,
} from './pending-question.ts'

/** A stored document with its version, as far as pending questions need it. */
interface QuestionDocument {
  id: string
  /** 1 for a new document; greater after each write. */
  version: number
  value: JsonValue
}

/**
 * Keeps pending questions. `documents` of a store of `@toolblocks/conversation-store` implements it; so can any storage that writes a value only for a
 * writer who knows its current version. Its members reject if the storage fails.
 */
export interface QuestionStorage {
  /** Resolves to the current version of a document; `undefined` if it does not exist. */
  read(collection: string, id: string): Promise<QuestionDocument | undefined>
  /** Oldest first. */
  list(
    collection: string,
    request: { state?: string; conversation?: string; limit?: number; cursor?: string },
  ): Promise<{
    documents: readonly QuestionDocument[]
    damaged: readonly { id: string }[]
    next?: string
  }>
  /** Writes a document if its current version is the given one (0: it does not exist). Resolves to whether it was written. */
  write(document: {
    collection: string
    id: string
    version: number
    state: string
    conversation: string
    value: JsonValue
  }): Promise<{ ok: boolean }>
  /** Settles when the version of a document may differ from the given one, or when the signal aborts. */
  changed(collection: string, id: string, version: number, signal: AbortSignal): Promise<void>
}

/** Where pending questions are kept, and the clock that ends them. */
export interface PendingOptions {
  storage: QuestionStorage
  /** Default: the machine's clock. */
  now?: () => Date
  /**
   * Whether the host of an open question still asks it. If not, and the call cannot be made again, the question is withdrawn when it is read. Called
   * only for such questions. Default: unknown; then an open question stays open.
   */
  isAsked?: (question: PendingQuestion) => Promise<boolean>
}

/** The collection of the documents. */
const COLLECTION = 'question'

/** Opens a pending question under a new id. It is stored before anybody can answer it. */
export async function openPendingQuestion(
  question: Omit<PendingQuestion, 'id' | 'state' | 'askedAt' | 'settled' | 'expiresAt'> & {
    /** Milliseconds after which it expires. Default: it does not expire. */
    expireMs?: number
  },
  options: PendingOptions,
): Promise<PendingQuestion> {
  requireArguments(
    'openPendingQuestion(question, options)',
    [question, 'object'],
    [options, { storage: 'object' }],
  )
  const { storage, now = getNow } = options
  const { expireMs, ...questionFields } = question
  const time = now()
  const expiry = expireMs === undefined ? undefined : new Date(time.getTime() + expireMs)
  for (;;) {
    const opened: PendingQuestion = {
      ...questionFields,
      id: createId(),
      state: 'open',
      askedAt: time.toISOString(),
      ...(expiry && { expiresAt: expiry.toISOString() }),
    }
    if (await write(opened, 0, storage)) return opened
  }
}

/** Letters and digits that people do not confuse. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const ID_LENGTH = 8

function createId(): string {
  const random = crypto.getRandomValues(new Uint8Array(ID_LENGTH))
  return Array.from(random, (byte) => LETTERS[byte % LETTERS.length]).join('')
}

async function write(
  question: PendingQuestion,
  version: number,
  storage: QuestionStorage,
): Promise<boolean> {
  const { id, state, conversation } = question
  const value: JsonValue = JSON.parse(JSON.stringify(question))
  const written = await storage.write({
    collection: COLLECTION,
    id,
    version,
    state,
    conversation,
    value,
  })
  return written.ok
}

const getNow = (): Date => new Date()

/** Reads a question in its present state. `undefined`: it does not exist, or a newer version wrote it. */
export async function readPendingQuestion(
  id: string,
  options: PendingOptions,
): Promise<PendingQuestion | undefined> {
  requireArguments(
    'readPendingQuestion(id, options)',
    [id, 'string'],
    [options, { storage: 'object' }],
  )
  return (await read(id, options))?.question
}

/** A question in its present state and as it is stored, with the version of its document. */
interface ReadQuestion {
  question: PendingQuestion
  stored: PendingQuestion
  version: number
}

async function read(id: string, options: PendingOptions): Promise<ReadQuestion | undefined> {
  const document = await options.storage.read(COLLECTION, id)
  return document && (await open(document, options))
}

/** Reads a question in its present state. An abandoned one is withdrawn, also in the storage. */
async function open(
  { id, value: stored, version }: QuestionDocument,
  options: PendingOptions,
): Promise<ReadQuestion | undefined> {
  if (!isPendingQuestion(stored)) return undefined
  const { storage, now = getNow, isAsked } = options
  const question = toPresentState(stored, now())
  const { state, isRepeatable } = question
  if (!isAsked || state !== 'open' || isRepeatable || (await isAsked(question)))
    return { question, stored, version }
  const settled = { at: now().toISOString(), by: 'lease', reason: HOST_ENDED }
  const withdrawn: PendingQuestion = { ...question, state: 'withdrawn', settled }
  // Where nothing can be written, it is withdrawn all the same.
  const isFirst = await write(withdrawn, version, storage).catch(() => true)
  if (!isFirst) return await read(id, options)
  return { question: withdrawn, stored: withdrawn, version: version + 1 }
}

const HOST_ENDED = 'its host ended before an answer, and its call cannot be made again'

/** Pending questions, and the ids of those that cannot be read. */
export interface PendingList {
  questions: readonly PendingQuestion[]
  /** Damaged ones, and those of a newer version. */
  unreadable: readonly string[]
}

/** Lists questions in their present state, the oldest first. */
export async function listPendingQuestions(
  request: { state?: PendingState; conversation?: string },
  options: PendingOptions,
): Promise<PendingList> {
  requireArguments(
    'listPendingQuestions(request, options)',
    [request, 'object'],
    [options, { storage: 'object' }],
  )
  requireChoices('listPendingQuestions(request, options)', 'request', request, {
    state: PENDING_STATES,
  })
  const { state, conversation } = request
  const { storage, isAsked } = options
  // An open one may have expired, or be abandoned, which nobody has written yet.
  const isStored = state !== 'expired' && (state !== 'withdrawn' || !isAsked)
  const questions: PendingQuestion[] = []
  const unreadable: string[] = []
  let cursor: string | undefined
  do {
    const page = await storage.list(COLLECTION, {
      ...(conversation !== undefined && { conversation }),
      ...(state !== undefined && isStored && { state }),
      ...(cursor !== undefined && { cursor }),
      limit: PAGE,
    })
    unreadable.push(...page.damaged.map(({ id }) => id))
    const opened = await Promise.all(
      page.documents.map(async (document) => await open(document, options)),
    )
    for (const [index, { id }] of page.documents.entries()) {
      const entry = opened[index]
      if (entry) questions.push(entry.question)
      else unreadable.push(id)
    }
    cursor = page.next
  } while (cursor !== undefined)
  const listed =
    state === undefined ? questions : questions.filter((question) => question.state === state)
  return { questions: listed, unreadable }
}

/** Number of questions that are read at once. */
const PAGE = 1000

/** What becomes of an open question. */
export type NewSettlement = {
  /** The state that it enters, and does not leave. */
  state: Exclude<PendingState, 'open'>
} & Omit<Settlement, 'at'>

/** `ok: false`: it was not open any more. `question`: its present state; absent if it does not exist. */
export type SettleResult =
  | { ok: true; question: PendingQuestion }
  | { ok: false; question?: PendingQuestion }

/** Settles an open question. Of several at the same time, one succeeds; the others get the question as that one has settled it. */
export async function settlePendingQuestion(
  id: string,
  outcome: NewSettlement,
  options: PendingOptions,
): Promise<SettleResult> {
  requireArguments(
    'settlePendingQuestion(id, outcome, options)',
    [id, 'string'],
    [outcome, { state: 'string' }],
    [options, { storage: 'object' }],
  )
  const { state, ...settlement } = outcome
  const { storage, now = getNow } = options
  for (;;) {
    const current = await read(id, options)
    if (!current) return { ok: false }
    const { question, stored, version } = current
    if (question.state !== 'open') {
      // Storing the expiry tells those who wait for a change.
      if (stored.state === 'open') await write(question, version, storage)
      return { ok: false, question }
    }
    const settled: PendingQuestion = {
      ...question,
      state,
      settled: { ...settlement, at: now().toISOString() },
    }
    if (await write(settled, version, storage)) return { ok: true, question: settled }
  }
}

/** A person's answer to a pending question. */
export interface PersonAnswer {
  /** The value, which must match the schema of the question, or a decline. */
  answer: Exclude<Answer, { action: 'cancel' }>
  /** Where the person answered, for example `page`. */
  by: string
  /** A comment. */
  reason?: string
}

/** Names a question: an answer counts only in the conversation for which it was given. A `PendingQuestion` is one. */
export type QuestionKey = Pick<PendingQuestion, 'conversation' | 'id'>

/** What became of an answer. Only with `ok` it counts. */
export type AnswerResult =
  | { ok: true; question: PendingQuestion }
  /** No such question exists in the conversation. */
  | { ok: false; why: 'unknown' }
  /** It was answered before, has expired or was withdrawn; `question` says which. */
  | { ok: false; why: 'settled'; question: PendingQuestion }
  /** It can only be answered where it is asked: `isLocal`. `problems`: why the answer does not match its schema there either. */
  | { ok: false; why: 'local'; question: PendingQuestion; problems: readonly Problem[] }
  /** The answer does not match the question's schema. The question stays open. */
  | { ok: false; why: 'invalid'; question: PendingQuestion; problems: readonly Problem[] }

/**
 * Answers an open question of a conversation for a person. The first valid answer counts. A question of another conversation is unknown. The caller
 * must check that the person may answer questions of the conversation.
 */
export async function answerPendingQuestion(
  key: QuestionKey,
  personAnswer: PersonAnswer,
  options: PendingOptions,
): Promise<AnswerResult> {
  requireArguments(
    'answerPendingQuestion(key, given, options)',
    [key, { conversation: 'string', id: 'string' }],
    [personAnswer, { by: 'string' }],
    [options, { storage: 'object' }],
  )
  const { conversation, id } = key
  const { answer, by, reason } = personAnswer
  const question = await readPendingQuestion(id, options)
  if (!question || question.conversation !== conversation) return { ok: false, why: 'unknown' }
  if (question.state !== 'open') return { ok: false, why: 'settled', question }
  const problems = await findProblems(answer, question)
  if (question.isLocal) return { ok: false, why: 'local', question, problems }
  if (problems.length > 0) return { ok: false, why: 'invalid', question, problems }
  const author = { by, ...(reason !== undefined && { reason }) }
  const settled = await settlePendingQuestion(
    id,
    answer.action === 'accept'
      ? { state: 'answered', value: answer.value, ...author }
      : { state: 'declined', ...author },
    options,
  )
  if (settled.ok) return settled
  return settled.question
    ? { ok: false, why: 'settled', question: settled.question }
    : { ok: false, why: 'unknown' }
}

/** A schema that cannot be checked accepts no answer from afar; at the terminal, the person can confirm it. */
async function findProblems(
  answer: PersonAnswer['answer'],
  { request }: PendingQuestion,
): Promise<readonly Problem[]> {
  if (answer.action !== 'accept') return []
  const prepared = await prepareQuestion(request)
  if (!prepared.ok) return prepared.problems
  const { verdict, problems } = prepared.question.check(answer.value)
  return verdict === 'valid' ? [] : problems
}

/** Longest delay of a timer in milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Waits until a question is settled or expires, and returns it; `undefined` if it was removed, or the signal aborted. */
export async function awaitPendingQuestion(
  id: string,
  waiting: PendingOptions & { signal: AbortSignal },
): Promise<PendingQuestion | undefined> {
  requireArguments(
    'awaitPendingQuestion(id, waiting)',
    [id, 'string'],
    [waiting, { storage: 'object', signal: 'object' }],
  )
  const { signal, ...options } = waiting
  const { storage, now = getNow } = options
  while (!signal.aborted) {
    const current = await read(id, options)
    if (!current) return undefined
    const { question, stored, version } = current
    if (question.state !== 'open') {
      if (stored.state !== 'open' || (await write(question, version, storage))) return question
      continue
    }
    const expiry = new AbortController()
    const { expiresAt } = question
    const left = expiresAt === undefined ? Infinity : Date.parse(expiresAt) - now().getTime()
    const timer =
      left === Infinity
        ? undefined
        : setTimeout(() => expiry.abort(), Math.min(Math.max(left, 0), MAX_DELAY_MS))
    const ended = AbortSignal.any([signal, expiry.signal])
    try {
      await storage.changed(COLLECTION, id, version, ended)
    } catch (error) {
      // A storage may reject when the signal aborts.
      if (!ended.aborted) throw error
    } finally {
      clearTimeout(timer)
    }
  }
  return undefined
}

/** Returns the answer of a settled question as the asking call receives it. `undefined` for an open question, and for a secret. */
export function toAnswer(question: PendingQuestion): Answer | undefined {
  requireArguments('toAnswer(question)', [question, 'object'])
  const { state, settled } = question
  switch (state) {
    case 'open':
      return undefined
    case 'answered':
      return settled?.value === undefined ? undefined : { action: 'accept', value: settled.value }
    case 'declined':
      return { action: 'decline' }
    case 'expired':
      return { action: 'cancel', reason: 'expired' }
    case 'withdrawn': {
      const message = settled?.reason
      return { action: 'cancel', reason: 'withdrawn', ...(message !== undefined && { message }) }
    }
  }
}
