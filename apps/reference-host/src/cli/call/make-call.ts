import type { AnswerQuestion, CallContext, ToolCall, ToolResult } from '@toolblocks/protocol'
import { createToolExecutor, type ToolEntry } from '@toolblocks/tool-executor'
import { EXIT, exitCodeOf } from '../../process/exit-codes.ts'
import { holdSession } from './session/hold-session.ts'
import {
  type Answered,
  type LiveUse,
  type Step,
  answerBySteps,
  openLiveCall,
  runActions,
} from './session/open-live-call.ts'
import type { TypedLines } from './session/read-lines.ts'
import { describeProgress, showProgress } from '../../terminal/show-progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { CallRecord } from '../../workspace/conversations/record-call.ts'

/** One call that is to be made, with all it needs. */
export interface CallMaking {
  call: ToolCall
  entry: ToolEntry
  /** What to do with a call that stays alive; absent: a person says it, or it is run once. */
  steps: readonly Step[] | undefined
  context: CallContext
  /** Whoever answers; absent: nobody. */
  person: AnswerQuestion | undefined
  /** The model that answers where the configuration says so; absent: none. */
  assistant?: AnswerQuestion
  record: CallRecord
  terminal: Terminal
  /** What a call that stays alive shows: messages, or the screen of a program at a terminal. */
  shows: 'messages' | 'screen'
  output: 'text' | 'json'
  /** Loads what the result of a call that does not stay alive is shown with. */
  prepare(result: ToolResult): Promise<void>
  show(result: ToolResult): void
}

/** Makes a call, shows what comes of it, records it, and answers with the exit code. */
export async function makeCall(making: CallMaking): Promise<number> {
  const { terminal, entry, output, person } = making
  const steps = making.steps && [...making.steps]
  const isSession = entry.tool.spawn !== undefined && steps === undefined && output === 'text'
  const lines = isSession && person && (await openLines(terminal))
  if (lines)
    return await withExecutor(making, lent(person, lines), (run) => hold(run, making, lines))
  const { signal } = making.context
  const progress = showProgress(terminal, terminal.style.plain(entry.tool.name), { signal })
  const asked: AnswerQuestion | undefined =
    person &&
    (async (...question) => await progress.pausedFor(async () => await person(...question)))
  const user = asked ?? (steps && answerBySteps(steps))
  try {
    const context: CallContext = {
      ...making.context,
      onProgress: (given) => {
        const line = describeProgress(given)
        if (line !== undefined) progress.say(line)
      },
    }
    return await withExecutor({ ...making, context }, user, async (execution) => {
      if (steps) return await script(liveCall(execution, making), making, steps)
      const result = await execution.execute(making.call.arguments)
      if (output === 'text') await making.prepare(result)
      progress.end()
      if (output === 'json') terminal.printJson(result)
      else making.show(result)
      return making.context.signal.aborted ? EXIT.cancelled : exitCodeOf(result)
    })
  } finally {
    progress.end()
  }
}

/** What reads lines from a keyboard is loaded where somebody types them. */
async function openLines({ keyboard }: Terminal): Promise<TypedLines | undefined> {
  if (!keyboard) return undefined
  const { readLines } = await import('./session/read-lines.ts')
  return readLines(keyboard)
}

interface Execution {
  /** Makes a call. */
  execute(values: ToolCall['arguments']): Promise<ToolResult>
  /** Has people answer what the live call of a result waits for. */
  answer(result: ToolResult): Promise<Answered | undefined>
}

/** Every action, and every answer, is a call of its own, recorded with its result. */
async function withExecutor(
  { call, entry, context, record, assistant, person }: CallMaking,
  user: AnswerQuestion | undefined,
  use: (execution: Execution) => Promise<number>,
): Promise<number> {
  const executor = createToolExecutor({
    tools: [entry],
    approve: async () => ({ decision: 'allowed' }),
    recordInquiry: record.record,
    // Whoever types has their own end.
    limits: { interactions: Infinity },
  })
  const { keepBytes } = record
  let count = 0
  let asked = 0
  const used: CallContext = {
    ...context,
    ...(keepBytes && { keepBytes }),
    ask: {
      ...(user && {
        user: async (...question) => {
          // Who answers by a script has seen nothing.
          if (person) asked += 1
          return await user(...question)
        },
      }),
      ...(assistant && { assistant }),
    },
  }
  try {
    return await use({
      execute: async (values) => {
        count += 1
        const made = { ...call, id: `call-${count}`, arguments: values }
        await record.record({ type: 'tool_call', call: made })
        const result = await executor.execute(made, used)
        await record.record({ type: 'tool_result', result })
        return result
      },
      answer: async (given) => {
        const before = asked
        const answered = await executor.answerWaiting(given, used)
        if (!answered) return undefined
        const { call: made, result } = answered
        await record.record({ type: 'tool_call', call: made }, { type: 'tool_result', result })
        return { result, wasAsked: asked > before }
      },
    })
  } finally {
    await executor.close()
  }
}

function liveCall(execution: Execution, { call, entry, shows }: CallMaking): LiveUse {
  const lineEnd = shows === 'screen' ? '\n' : ''
  return openLiveCall({ tool: entry.tool, values: call.arguments, ...execution, lineEnd })
}

async function script(
  live: LiveUse,
  { terminal, output, show }: CallMaking,
  steps: Step[],
): Promise<number> {
  const { results, problem } = await runActions(live, steps, output === 'text' ? show : () => {})
  if (output === 'json') terminal.printJson(results)
  if (problem !== undefined) terminal.complain('error', problem)
  const failed = results.map(exitCodeOf).find((code) => code !== EXIT.ok)
  return failed ?? (problem === undefined ? EXIT.ok : EXIT.usage)
}

async function hold(execution: Execution, making: CallMaking, lines: TypedLines): Promise<number> {
  const { terminal, shows, show, context } = making
  const note = (text: string): void => terminal.note(terminal.style.dim(text))
  const ports = { lines, shows, show, note, signal: context.signal }
  const { last, cancelled } = await holdSession(liveCall(execution, making), ports)
  return cancelled ? EXIT.cancelled : exitCodeOf(last)
}

/** The same person, with the keyboard to themselves while they answer. */
function lent(person: AnswerQuestion, lines: TypedLines): AnswerQuestion {
  return async (request, context) => await lines.lend(() => person(request, context))
}
