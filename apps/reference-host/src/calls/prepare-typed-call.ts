import type { ToolCall } from '@toolblocks/protocol'
import { prepareCall, type ToolEntry } from '@toolblocks/tool-executor'
import { readActions, type Step } from '../session/read-actions.ts'
import { explainArguments } from './explain-arguments.ts'
import { readArguments, type TypedArguments } from './read-arguments.ts'
import type { ReadText } from './read-json-arguments.ts'
import { readTypedAnswers, type TypedAnswers } from './typed-answers.ts'

/** All that was typed behind `toolblocks call NAME`, as text. */
export interface TypedCall extends TypedArguments {
  answer?: readonly string[]
  action?: readonly string[]
}

/** A call that can be made, or all that is wrong with what was typed, one line each. */
export type PreparedTypedCall =
  | { ok: true; call: ToolCall; answers: TypedAnswers; steps: readonly Step[] | undefined }
  | { ok: false; messages: readonly string[] }

/** Reads and checks everything that was typed before anything is started. */
export async function prepareTypedCall(
  typed: TypedCall,
  entry: ToolEntry,
  { words, readText }: { words: readonly string[]; readText: ReadText },
): Promise<PreparedTypedCall> {
  const { name, inputSchema, spawn } = entry.tool
  const [word] = words
  if (word !== undefined) return refuse(explainWord(word))
  const values = await readArguments(typed, { schema: inputSchema, readText })
  if (!values.ok) return refuse(values.message)
  const answers = readTypedAnswers(typed.answer ?? [])
  if (!answers.ok) return refuse(answers.message)
  const actions = typed.action && readActions(typed.action)
  if (actions && !actions.ok) return refuse(actions.message)
  if (actions && !spawn)
    return refuse(
      `--action: the tool "${name}" does not stay alive: its configuration says neither stateful nor pty`,
    )
  const call = { id: 'call-1', name, arguments: values.values }
  const prepared = await prepareCall(call, entry)
  if (!prepared.ok)
    return { ok: false, messages: explainArguments(prepared.problems, typed, inputSchema) }
  return { ok: true, call, answers: answers.typed, steps: actions?.steps }
}

function explainWord(word: string): string {
  const hint = word.includes('=') ? `; write --arg ${quote(word)}` : ''
  return `unexpected ${JSON.stringify(word)} after the name of the tool${hint}`
}

/** As a shell takes it. */
function quote(word: string): string {
  return /^[\w=./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

function refuse(message: string): PreparedTypedCall {
  return { ok: false, messages: [message] }
}
