import {
  type LiveCall,
  type ToolResult,
  createErrorResult,
  createFailure,
  createSuccessResult,
  withStatus,
} from '@toolblocks/protocol'
import { limitTime } from '@toolblocks/protocol/internal'
import { hasStopped } from '../live/not-started.ts'
import type { PseudoTerminal, PtyExit } from './pseudo-terminal.ts'
import type { Screen } from './screen.ts'

/** The settings of a call in a pseudo-terminal. */
interface PtyCallPlan {
  readonly name: string
  readonly graceMs: number
  /** Milliseconds without output after which the screen is returned. */
  readonly quietMs: number
  readonly signal: AbortSignal
}

/** Milliseconds after which the screen of a program that never stops or never begins writing is returned. */
const MAX_LOOK_MS = 2000

/** Shows the screen of an interactive program and types into it. */
export async function startPtyCall(
  terminal: PseudoTerminal,
  screen: Screen,
  plan: PtyCallPlan,
): Promise<LiveCall> {
  /** A program that starts slowly has nothing to show yet. */
  let hasStarted = false
  /** Restart the wait for quiet of each action that waits. */
  const restarts = new Set<() => void>()
  let exit: PtyExit | undefined
  /** Settles with the text of the screen at the end. */
  let stopping: Promise<string> | undefined
  terminal.onData((data) => {
    screen.write(data)
    noteNews()
  })
  void terminal.exited.then((ended) => {
    exit = ended
    noteNews()
  })

  function noteNews(): void {
    hasStarted = true
    for (const restart of restarts) restart()
  }

  async function untilQuiet(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let stopQuiet: (() => void) | undefined
    const restart = (): void => {
      stopQuiet?.()
      stopQuiet = limitTime(plan.quietMs, resolve)
    }
    const stopLook = limitTime(MAX_LOOK_MS, resolve)
    const onAbort = (): void => resolve()
    restarts.add(restart)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) resolve()
    else if (hasStarted) restart()
    await promise
    signal.removeEventListener('abort', onAbort)
    restarts.delete(restart)
    stopLook()
    stopQuiet?.()
  }

  async function look(signal: AbortSignal): Promise<ToolResult> {
    await untilQuiet(signal)
    if (stopping) return await refuse()
    const content = [{ type: 'text', text: await screen.read() }] as const
    if (exit === undefined) return withStatus(createSuccessResult(content), 'running')
    const { exitCode, signal: number } = exit
    await stop()
    if (exitCode === 0 && !number) return withStatus(createSuccessResult(content), 'stopped')
    const how = number ? `by signal ${number}` : `with exit code ${exitCode}`
    const text = `Tool "${plan.name}" ended ${how}.`
    const failed = createFailure([...content, { type: 'text', text }])
    return withStatus(failed, 'stopped')
  }

  function stop(): Promise<string> {
    stopping ??= endProgram()
    return stopping
  }

  /** The program is ended before its screen is read, so that reading does not keep it alive. */
  async function endProgram(): Promise<string> {
    plan.signal.removeEventListener('abort', onHostAbort)
    await terminal.end(plan.graceMs)
    const last = await screen.read()
    screen.close()
    return last
  }

  async function refuse(): Promise<ToolResult> {
    await stop()
    return hasStopped(plan.name)
  }

  const onHostAbort = (): void => void stop()
  plan.signal.addEventListener('abort', onHostAbort, { once: true })
  if (plan.signal.aborted) await stop()

  const started = await look(plan.signal)
  return {
    started,
    fetch: async ({ signal }) => (stopping ? await refuse() : await look(signal)),
    apply: async (values, { signal }) => {
      if (stopping) return await refuse()
      if (!('input' in values)) return withStatus(NO_QUESTIONS, 'running')
      const { input } = values
      terminal.type(typeof input === 'string' ? input : JSON.stringify(input))
      return await look(signal)
    },
    abort: async () => {
      if (stopping) return await refuse()
      const text = await stop()
      return withStatus(createSuccessResult([{ type: 'text', text }]), 'stopped')
    },
  }
}

const NO_QUESTIONS = createErrorResult(
  'A program in a terminal has no questions with ids; use apply with the text to type as input.',
  undefined,
  { outcome: 'failed' },
)
