import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  listPendingQuestions,
  type PendingOptions,
  type PendingQuestion,
  readPendingQuestion,
} from '@toolblocks/inquiry/pending'

/** The open questions of a store at a time. */
export interface OpenQuestions {
  count: number
  /** Differs if other questions are open. */
  revision: string
}

/** Follows which questions are open. All readers together ask the store once a second. */
export interface QuestionWatch {
  read(): Promise<OpenQuestions>
  /** Yields the open questions now and after each change, until the signal aborts. */
  follow(signal: AbortSignal): AsyncGenerator<OpenQuestions>
}

const INTERVAL_MS = 1000

/** Creates the watch of a store. With `isAsked`, questions that ended with their hosts are withdrawn meanwhile. */
export function createQuestionWatch({ isAsked, ...options }: PendingOptions): QuestionWatch {
  const checked = new Set<string>()
  let last: { at: number; open: Promise<OpenQuestions> } | undefined

  /** Nobody waits for it: whether a host of another machine still asks is known only after the time of its lease. */
  async function check({ id }: PendingQuestion): Promise<void> {
    if (checked.has(id) || !isAsked) return
    checked.add(id)
    await readPendingQuestion(id, { ...options, isAsked }).catch(() => undefined)
    checked.delete(id)
  }

  async function readShared(): Promise<OpenQuestions> {
    const now = performance.now()
    if (last === undefined || now - last.at >= INTERVAL_MS) last = { at: now, open: read() }
    return await last.open
  }

  async function read(): Promise<OpenQuestions> {
    const { questions } = await listPendingQuestions({ state: 'open' }, options)
    for (const question of questions) if (!question.isRepeatable) void check(question)
    const ids = questions.map(({ id }) => id).join('\n')
    const revision = createHash('sha256').update(ids).digest('base64url').slice(0, 16)
    return { count: questions.length, revision }
  }

  return {
    read,
    follow: async function* (signal) {
      let known = ''
      while (!signal.aborted) {
        const open = await readShared()
        if (open.revision !== known) yield open
        known = open.revision
        await wait(INTERVAL_MS, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}
