import { isJsonObject, type JsonSchema, type Problem, type ToolCall } from '@toolblocks/protocol'
import { prepareCall, type ToolEntry } from '@toolblocks/tool-executor'
import { readActions, type Step } from '../session/read-actions.ts'
import { type AskMissing, askMissingArguments } from './ask-missing-arguments.ts'
import { explainArguments, namesOf } from './explain-arguments.ts'
import { readArguments, type TypedArguments } from './read-arguments.ts'
import type { ReadText } from './read-json-arguments.ts'
import { readTypedAnswers, type TypedAnswers } from './typed-answers.ts'

/** All that was typed behind `toolblocks call NAME`, as text. */
export interface TypedCall extends TypedArguments {
  answer?: readonly string[]
  action?: readonly string[]
}

/** A call that can be made, or all that is wrong with what was typed, one line each; nothing is, where a person has left. */
export type PreparedTypedCall =
  | { ok: true; call: ToolCall; answers: TypedAnswers; steps: readonly Step[] | undefined }
  | { ok: false; messages: readonly string[] }

/** Reads and checks everything that was typed before anything is started. */
export async function prepareTypedCall(
  typed: TypedCall,
  entry: ToolEntry,
  {
    words,
    readText,
    missing,
  }: {
    words: readonly string[]
    readText: ReadText
    /** Who is asked for what is missing. */
    missing?: AskMissing
  },
): Promise<PreparedTypedCall> {
  const { name, inputSchema, spawn } = entry.tool
  const [word] = words
  if (word !== undefined) return refuse(explainWord(word, inputSchema))
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
  const typedCall = { id: 'call-1', name, arguments: values.values }
  const call = await completeCall(typedCall, entry, missing)
  if ('problems' in call)
    return { ok: false, messages: explainArguments(call.problems, typed, inputSchema) }
  if ('left' in call) return { ok: false, messages: [] }
  return { ok: true, call, answers: answers.typed, steps: actions?.steps }
}

/** The call, once it fits; what is missing in it is asked for where somebody is there. */
async function completeCall(
  call: ToolCall,
  entry: ToolEntry,
  missing: AskMissing | undefined,
): Promise<ToolCall | { problems: readonly Problem[] } | { left: true }> {
  const prepared = await prepareCall(call, entry)
  if (prepared.ok) return call
  const { problems } = prepared
  const asked =
    missing && (await askMissingArguments(call, { problems, tool: entry.tool }, missing))
  if (asked === undefined) return { problems }
  return asked === 'left' ? { left: true } : await completeCall(asked, entry, undefined)
}

function explainWord(word: string, schema: JsonSchema): string {
  const required = isJsonObject(schema) ? schema['required'] : undefined
  const [only, ...others] = Array.isArray(required) ? required.map(String) : namesOf(schema)
  const isValue = only !== undefined && others.length === 0 && !word.includes('=')
  const pair = isValue ? `${only}=${word}` : word
  const hint = pair.includes('=') ? `; write --arg ${quote(pair)}` : ''
  return `unexpected ${JSON.stringify(word)} after the name of the tool${hint}`
}

/** As a shell takes it. */
function quote(word: string): string {
  return /^[\w=./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

function refuse(message: string): PreparedTypedCall {
  return { ok: false, messages: [message] }
}
