import type { JsonValue } from '../json.ts'
import type { Answers } from '../questions/answer.ts'

/** What a host asks of an executable. */
export type Action = 'run' | 'format_arguments' | 'schema' | 'spawn' | 'fetch' | 'apply' | 'abort'

/** The JSON document an executable gets on stdin. */
export interface ToolRequest {
  /** Live tools only: the reply carries it in `_meta["toolblocks/re"]`. */
  seq?: number
  context: {
    action: Action
    /** Absolute path of the workspace. */
    root: string
    access: unknown
    workspace_id?: string
    conversation_id?: string
  }
  /** Absent for `schema`. */
  tool?: {
    name: string
    arguments?: Readonly<Record<string, unknown>>
    answers?: Answers
    options?: Readonly<Record<string, unknown>>
    input?: JsonValue
  }
}
