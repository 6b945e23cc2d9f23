import {
  type AnswerQuestion,
  type JsonObject,
  type JsonSchema,
  type Problem,
  type ToolCall,
  isJsonObject,
} from '@toolblocks/protocol'
import { getOwnField, splitPointer } from '@toolblocks/protocol/internal'
import { type ToolEntry, prepareCall } from '@toolblocks/tool-executor'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { quoteWord } from '../../terminal/quote-word.ts'
import {
  type ReadText,
  type TypedArguments,
  readArguments,
} from '../../terminal/typed/read-arguments.ts'
import { type SessionStep, readActions } from './session/open-live-call.ts'
import { type TypedAnswers, readTypedAnswers } from './typed-answers.ts'

/** The text that was typed after `toolblocks call NAME`. */
export interface TypedCall extends TypedArguments {
  answer?: readonly string[]
  action?: readonly string[]
}

/** A call that can be made, or all problems of the typed text, one line each. The list is empty if a person left the form. */
type PreparedTypedCall =
  | { ok: true; call: ToolCall; answers: TypedAnswers; steps: readonly SessionStep[] | undefined }
  | { ok: false; messages: readonly string[] }

/** Reads and checks everything that was typed, before anything starts. */
export async function prepareTypedCall(
  typed: TypedCall,
  entry: ToolEntry,
  {
    args,
    readText,
    missing,
  }: {
    args: readonly string[]
    readText: ReadText
    /** Asks a person for missing arguments. */
    missing?: AskMissing
  },
): Promise<PreparedTypedCall> {
  const { name, inputSchema, spawn } = entry.tool
  const [word] = args
  if (word !== undefined) return refuse(explainWord(word, inputSchema, typed))
  const values = await readArguments(typed, { schema: inputSchema, readText })
  if (!values.ok) return refuse(values.message)
  const answers = readTypedAnswers(typed.answer ?? [])
  if (!answers.ok) return refuse(answers.message)
  const actions = typed.action && readActions(typed.action)
  if (actions && !actions.ok) return refuse(actions.message)
  if (actions && !spawn)
    return refuse(
      `--action: the tool "${name}" is not stateful: its configuration has neither stateful nor pty`,
    )
  let call: ToolCall = { id: 'call-1', name, arguments: values.values }
  let prepared = await prepareCall(call, entry)
  if (!prepared.ok && missing) {
    const { problems } = prepared
    const asked = await askMissingArguments(call, { problems, tool: entry.tool }, missing)
    if (asked === 'left') return { ok: false, messages: [] }
    if (asked) {
      call = asked
      prepared = await prepareCall(call, entry)
    }
  }
  if (!prepared.ok)
    return {
      ok: false,
      messages: explainArguments(prepared.problems, { typed, values: call.arguments }, inputSchema),
    }
  return { ok: true, call, answers: answers.typed, steps: actions?.steps }
}

function explainWord(word: string, schema: JsonSchema, { arg = [] }: TypedArguments): string {
  const required = isJsonObject(schema) ? schema['required'] : undefined
  const [only, ...others] = Array.isArray(required) ? required.map(String) : getNames(schema)
  const isValue = only !== undefined && others.length === 0 && !word.includes('=')
  const pair = isValue ? `${only}=${word}` : word
  const givenPair = isValue ? arg.find((each) => each.startsWith(`${only}=`)) : undefined
  const hint =
    givenPair !== undefined
      ? `; ${only} is given already, and a value with spaces is put in quotes: --arg ${quoteWord(`${givenPair} ${word}`)}`
      : pair.includes('=')
        ? `; write --arg ${quoteWord(pair)}`
        : ''
  return `unexpected ${JSON.stringify(word)} after the name of the tool${hint}`
}

function refuse(message: string): PreparedTypedCall {
  return { ok: false, messages: [message] }
}

/** Describes problems of arguments, one line each, with the option that each argument came from. */
export function explainArguments(
  problems: readonly Problem[],
  { typed, values }: { typed: TypedArguments; values: JsonObject },
  schema: JsonSchema,
): readonly string[] {
  const keys = new Set((typed.arg ?? []).map((pair) => pair.slice(0, pair.indexOf('='))))
  return problems.map((problem) => {
    const [key = '', ...below] = splitPointer(problem.path)
    if (problem.code === 'required' && below.length === 0)
      return `the argument "${key}" is missing; pass it as --arg ${key}=… or with --arguments`
    // Every other argument was filled in by the host.
    if (key !== '' && !Object.hasOwn(values, key) && problem.code !== 'required')
      return `the tool's own default of "${key}": ${problem.message}; pass --arg ${key}=…`
    const option = keys.has(key)
      ? `--arg ${[key, ...below].join('.')}`
      : `--arguments ${problem.path}`
    const isUnknown = problem.code === 'additionalProperties' && below.length === 0
    const names = isUnknown ? getNames(schema) : []
    return isUnknown
      ? `${option}: is not an argument of this tool${formatSuggestions(key, names, 'it takes')}`
      : `${option.trim()}: ${problem.message}`
  })
}

/** Returns the names of the arguments that a schema lists. */
function getNames(schema: JsonSchema): readonly string[] {
  const properties = typeof schema === 'object' ? schema['properties'] : undefined
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}

/** The person who can be asked, and the signal that ends the question. */
interface AskMissing {
  ask: AnswerQuestion
  signal: AbortSignal
}

/**
 * Asks a person for the required arguments that are missing, with the texts of the tool's schema. Returns `undefined` if the call has other
 * problems, which the caller reports instead.
 */
async function askMissingArguments(
  call: ToolCall,
  { problems, tool }: { problems: readonly Problem[] } & Pick<ToolEntry, 'tool'>,
  { ask, signal }: AskMissing,
): Promise<ToolCall | 'left' | undefined> {
  const schema = getMissingSchema(problems, tool.inputSchema)
  if (!schema) return undefined
  const answer = await ask(
    { id: 'arguments', text: `What ${tool.name} takes`, schema },
    { blocks: [], source: { kind: 'question', call }, signal },
  )
  if (answer.action !== 'accept' || !isJsonObject(answer.value)) return 'left'
  return { ...call, arguments: { ...call.arguments, ...answer.value } }
}

/** Returns the schema of the missing arguments, if nothing else is wrong. */
function getMissingSchema(problems: readonly Problem[], schema: unknown): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined
  const { properties, $defs, definitions } = schema
  const missing = problems.flatMap(({ code, path }) => {
    const [name, ...below] = splitPointer(path)
    return code === 'required' && name !== undefined && below.length === 0 ? [name] : []
  })
  if (missing.length < problems.length || !isJsonObject(properties)) return undefined
  if (!missing.every((name) => Object.hasOwn(properties, name))) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(missing.map((name) => [name, getOwnField(properties, name)])),
    required: missing,
    ...(isJsonObject($defs) && { $defs }),
    ...(isJsonObject(definitions) && { definitions }),
  }
}
