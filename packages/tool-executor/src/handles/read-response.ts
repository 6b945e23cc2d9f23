import { findQuestions, type FoundQuestion } from '@toolblocks/inquiry'
import {
  appendPointer,
  field,
  isStatus,
  META_STATUS,
  type Status,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ExecutorProblem } from '../executor-problem.ts'

/** What a response of a live call says about the call. */
export interface LiveResponse {
  status: Status
  /** What it asks: its own questions, or those still open where it waits without repeating them. */
  questions: readonly FoundQuestion[]
  warnings: readonly ExecutorProblem[]
}

/** Reads where a live call stands; what is odd is said and does the least harm. */
export function readResponse(
  response: ToolResult,
  pending: readonly FoundQuestion[],
): LiveResponse {
  const warnings: ExecutorProblem[] = []
  const warn = (path: string, message: string): void =>
    void warnings.push({ path, message, code: 'odd-envelope' })
  const said = readSaid(response, warn)
  const asked = askable(findQuestions(response), warn)
  if (said !== 'waiting') return { status: said, questions: asked, warnings }
  const questions = asked.length > 0 ? asked : pending
  if (questions.length > 0) return { status: 'waiting', questions, warnings }
  warn(AT_STATUS, 'the tool says that it is waiting, but it asks nothing; it is taken as running')
  return { status: 'running', questions, warnings }
}

const AT_STATUS = appendPointer('/_meta', META_STATUS)

type Warn = (path: string, message: string) => void

function readSaid({ _meta: meta }: ToolResult, warn: Warn): Status {
  const status: unknown = meta && field(meta, META_STATUS)
  if (isStatus(status)) return status
  if (status !== undefined)
    warn(AT_STATUS, `the status ${JSON.stringify(status)} is unknown; the tool is taken as stopped`)
  return 'stopped'
}

/** Answers go by id: questions without one, and later ones with the same, are left out. */
function askable(questions: readonly FoundQuestion[], warn: Warn): readonly FoundQuestion[] {
  const ids = new Set<string>()
  return questions.filter(({ request: { id } }) => {
    if (id === '') warn('/content', 'a question without an id cannot be answered; it was left out')
    if (ids.has(id))
      warn('/content', `the question "${id}" was asked twice; the second was left out`)
    const isAskable = id !== '' && !ids.has(id)
    ids.add(id)
    return isAskable
  })
}
