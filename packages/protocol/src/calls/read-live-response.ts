import type { ContentBlock } from '../content/content-block.ts'
import { getOwnField } from '../json/json.ts'
import { appendPointer } from '../json/json-pointer.ts'
import { META_STATUS } from '../content/meta-keys.ts'
import type { Problem } from '../json/problem.ts'
import { textQuestion } from '../content/input-request.ts'
import { findQuestions, type FoundQuestion } from '../questions/ask-questions.ts'
import { type Status, type ToolResult, isStatus } from '../tools/tool-result.ts'

/** The state of a stateful call, read from one response. */
export interface LiveResponse {
  status: Status
  /**
   * Its questions: those of the response, or those still open if it waits without repeating them. A call that waits without questions waits for
   * free input.
   */
  questions: readonly FoundQuestion[]
  warnings: readonly Problem<'inconsistent-result'>[]
}

/**
 * Reads the state of a stateful call from a response. An inconsistent state gives a warning and the least harmful reading. `pending`: earlier
 * questions without an answer.
 */
export function readLiveResponse(
  response: ToolResult,
  pending: readonly FoundQuestion[] = [],
): LiveResponse {
  const warnings: Problem<'inconsistent-result'>[] = []
  const warn = (path: string, message: string): void =>
    void warnings.push({ path, message, code: 'inconsistent-result' })
  const status = readSaid(response, warn)
  const asked = askable(findQuestions(response), warn)
  const isRepeated = status === 'waiting' && asked.length === 0
  return { status, questions: isRepeated ? pending : asked, warnings }
}

/**
 * Creates the question that asks a person for free input: the last text of the response, after the blocks before it. `number` counts the inputs of
 * a call from 1, so that each has its own id.
 */
export function createInputQuestion(response: ToolResult, number: number): FoundQuestion {
  const { content } = response
  const index = content.findLastIndex((block) => block.type === 'text' && block.text.trim() !== '')
  const block = content[index]
  const text = block?.type === 'text' ? block.text : 'The tool waits for input.'
  const blocks: readonly ContentBlock[] = content.slice(0, Math.max(index, 0))
  const request = textQuestion({ id: `input_${number}`, text })
  return { request, blocks, after: content.slice(index + 1) }
}

const AT_STATUS = appendPointer('/_meta', META_STATUS)

type Warn = (path: string, message: string) => void

function readSaid({ _meta: meta }: ToolResult, warn: Warn): Status {
  const status: unknown = meta && getOwnField(meta, META_STATUS)
  if (isStatus(status)) return status
  if (status !== undefined)
    warn(AT_STATUS, `the status ${JSON.stringify(status)} is unknown; the tool is taken as stopped`)
  return 'stopped'
}

/** Answers have ids: questions without an id, and later ones with the same id, are omitted. */
function askable(questions: readonly FoundQuestion[], warn: Warn): readonly FoundQuestion[] {
  const ids = new Set<string>()
  return questions.filter(({ request: { id } }) => {
    if (id === '') warn('/content', 'a question without an id cannot be answered; it was omitted')
    if (ids.has(id))
      warn('/content', `the question "${id}" was asked twice; the second was omitted`)
    const isAskable = id !== '' && !ids.has(id)
    ids.add(id)
    return isAskable
  })
}
