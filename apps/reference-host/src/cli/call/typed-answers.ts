import {
  createErrorResult,
  isQuestionContent,
  type AnswerQuestion,
  type Answers,
  type InputRequest,
  type JsonValue,
  type LiveCall,
  type Tool,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { readAnswer } from '../../terminal/typed/read-answer.ts'

/** Answers that were typed before the call, by question id. Their values are known when a question has stated its schema. */
export interface TypedAnswers {
  /** The values so far. They grow while the tool asks. */
  readonly answers: Answers
  /** Wraps a tool so that its questions are read. An answer that does not match its schema ends the call. */
  reading(entry: ToolEntry): ToolEntry
  /** The problems that ended the call. */
  readonly validationErrors: readonly string[]
  /** Describes each answer whose question the tool did not ask. */
  unused(): readonly string[]
}

/** Reads `--answer id=value`, each id once, or returns the first problem. */
export function readTypedAnswers(
  pairs: readonly string[],
): { ok: true; typed: TypedAnswers } | { ok: false; message: string } {
  const texts = new Map<string, string>()
  for (const pair of pairs) {
    const separator = pair.indexOf('=')
    if (separator < 1) return createProblem(pair, 'expected id=value')
    const id = pair.slice(0, separator)
    if (texts.has(id)) return createProblem(pair, `"${id}" has two answers; write a list as JSON`)
    texts.set(id, pair.slice(separator + 1))
  }
  return { ok: true, typed: createTypedAnswers(texts) }
}

function createProblem(pair: string, reason: string): { ok: false; message: string } {
  return { ok: false, message: `--answer ${JSON.stringify(pair)}: ${reason}` }
}

function createTypedAnswers(texts: ReadonlyMap<string, string>): TypedAnswers {
  const answers: Record<string, JsonValue> = Object.create(null)
  const asked = new Set<string>()
  const validationErrors: string[] = []

  async function read(request: InputRequest): Promise<string | undefined> {
    asked.add(request.id)
    const text = texts.get(request.id)
    if (text === undefined) return undefined
    const answer = await readAnswer(text, request)
    if (answer.ok) answers[request.id] = answer.value
    return answer.ok ? undefined : `--answer ${request.id}: ${answer.message}`
  }

  /** Returns the result, or an error result if an answer does not match its schema. */
  async function readResult(result: ToolResult): Promise<ToolResult> {
    const messages: string[] = []
    for (const { question } of result.content.filter(isQuestionContent)) {
      const problem = await read(question)
      if (problem !== undefined) messages.push(problem)
    }
    if (messages.length === 0) return result
    validationErrors.push(...messages)
    return createErrorResult(messages.join('\n'), result.id, { outcome: 'failed' })
  }

  /** Wraps a question inside a call. The question is cancelled if its answer does not match the schema. */
  function readAsked(ask: AnswerQuestion): AnswerQuestion {
    return async (request, context) => {
      const problem = await read(request)
      if (problem === undefined) return await ask(request, context)
      validationErrors.push(problem)
      return { action: 'cancel', reason: 'wrong-answer' }
    }
  }

  async function readLive(live: LiveCall): Promise<LiveCall> {
    const abortUnreadable = async (result: ToolResult): Promise<ToolResult> => {
      const readable = await readResult(result)
      if (readable !== result) await live.abort()
      return readable
    }
    return {
      started: await abortUnreadable(live.started),
      fetch: async (waiting) => await abortUnreadable(await live.fetch(waiting)),
      apply: async (input, waiting) => await abortUnreadable(await live.apply(input, waiting)),
      abort: live.abort,
    }
  }

  /** Typed answers take priority over the routes of the configuration, and no person or model is asked. */
  const routes = Object.fromEntries([...texts.keys()].map((id) => [id, {}]))
  return {
    answers,
    validationErrors: validationErrors,
    reading: (entry) => {
      const { tool } = entry
      const { spawn } = tool
      const execute: Tool['execute'] = async (call, context) =>
        await readResult(
          await tool.execute(call, {
            ...context,
            ...(context.ask && { ask: readAsked(context.ask) }),
          }),
        )
      const live = spawn && {
        spawn: async (...args: Parameters<typeof spawn>) => await readLive(await spawn(...args)),
      }
      return {
        ...entry,
        tool: { ...tool, execute, ...live },
        routes: { ...entry.routes, ...routes },
      }
    },
    unused: () =>
      [...texts.keys()]
        .filter((id) => !asked.has(id))
        .map((id) => `--answer ${id}: ${explainUnused(id, [...asked])}`),
  }
}

function explainUnused(id: string, asked: readonly string[]): string {
  if (asked.length === 0) return 'the tool asked no question, so this answer was not used'
  return `not used${formatSuggestions(id, asked, 'the tool asked')}`
}
