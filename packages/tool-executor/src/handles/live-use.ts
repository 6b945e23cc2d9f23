import type { RecordInquiry } from '@toolblocks/inquiry'
import type { AnswerQuestion, Problem, ToolCall, ToolContext } from '@toolblocks/protocol'
import type { ToolEntry } from '../tools/tool-entry.ts'

/** What one action on a live call works with. */
export interface LiveUse {
  entry: ToolEntry
  call: ToolCall
  /** Its port asks people, already routed, checked and recorded. */
  context: ToolContext & { ask: AnswerQuestion }
  unanswered: 'fail' | 'return'
  /** Gets the questions and answers of the driving model. */
  record: RecordInquiry
  warn: (problem: Problem) => void
}
