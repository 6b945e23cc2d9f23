import type { ProgramExit } from '@toolblocks/protocol'
import {
  createQueue,
  limitTime,
  MAX_RUNNING_PROGRAMS,
  settlesWithin,
} from '@toolblocks/protocol/internal'
import { DRAIN_MS, type FoundProcess, KILL_MS, sendSignal, untilGone } from './end-processes.ts'
import { type Launched, launchProgram } from './launch-program.ts'
import type { LaunchPlan } from './launch-plan.ts'
import type { Child } from './start-child.ts'

/** Milliseconds for which a program that ended by SIGINT may have ended by the Ctrl-C that cancels its call. */
const INTERRUPT_MS = 100

/** One run of a program. */
export interface ProcessPlan extends LaunchPlan {
  readonly input: string
  /** Milliseconds from the start until the process is stopped. */
  readonly timeoutMs: number
  /** Milliseconds between asking the process to stop and killing it. */
  readonly graceMs: number
  /** What to do with processes that left the group and still run after the program has ended. */
  readonly leftoverProcesses: 'keep' | 'stop'
  readonly signal: AbortSignal
  /** A returned promise means: stop reading until it settles; it must not reject. */
  readonly onStdout: (chunk: Uint8Array) => Promise<void> | undefined
  readonly onStderr: (chunk: Uint8Array) => void
}

/** How a run ended. */
export type ProcessEnd =
  | { readonly kind: 'not-started'; readonly message: string }
  | Exited
  | Stopped

interface Exited extends ProgramExit {
  readonly kind: 'exited'
  /** Whether a process that it started held its output open, and was killed. */
  readonly pipesHeld: boolean
  /** Processes outside of the group that were found when the program had ended. */
  readonly left: readonly LeftProcess[]
}

/** A process that still ran after the program that started it had ended. */
export interface LeftProcess {
  readonly pid: number
  readonly name: string
  readonly fate: 'kept' | 'killed'
}

interface Stopped {
  readonly kind: 'stopped'
  readonly reason: 'timeout' | 'cancelled'
}

/** For programs that run once. A program that stays alive has no slot: it would hold it until it is ended. */
const queue = createQueue(MAX_RUNNING_PROGRAMS)

const CANCELLED: Stopped = { kind: 'stopped', reason: 'cancelled' }

/**
 * Runs a program to its end when a slot is free; further programs wait. Settles at most `graceMs` + 1 s after the deadline, which counts from the
 * start, or the signal, even if other processes hold the pipes. A waiting program is not started after the signal. Never rejects.
 */
export async function runProcess(plan: ProcessPlan): Promise<ProcessEnd> {
  const leaving = { signal: plan.signal, whenAborted: () => CANCELLED }
  return await queue<ProcessEnd>(async () => await runNow(plan), leaving)
}

async function runNow(plan: ProcessPlan): Promise<ProcessEnd> {
  const launched = await launchProgram(plan)
  if (!launched.ok) return { kind: 'not-started', message: launched.message }
  const end = await supervise(launched, plan)
  launched.release()
  return end
}

async function supervise(
  { child, kill, findLeft }: Launched,
  plan: ProcessPlan,
): Promise<Exited | Stopped> {
  const stop = stopRequest(plan)
  const blocked = connect(child, plan)
  const first = await Promise.race([endOrInterrupt(child, stop), stop.requested])
  const end = 'code' in first ? await drain(child, { ...first, blocked, stop }) : first
  if ('reason' in first) {
    child.terminate()
    await untilGone(child, plan.graceMs)
  }
  stop.release()
  if (end.kind === 'exited' && !end.pipesHeld) {
    sendSignal(-child.pid, 'SIGKILL')
    const left = await findLeft()
    if (left.length > 0 && plan.leftoverProcesses === 'stop') await kill()
    return { ...end, left: left.map(toLeft(plan.leftoverProcesses === 'stop' ? 'killed' : 'kept')) }
  }
  const left = end.kind === 'exited' ? (await findLeft()).map(toLeft('killed')) : []
  await settlesWithin(KILL_MS, Promise.all([kill(), child.closed]))
  return end.kind === 'exited' ? { ...end, left } : end
}

/**
 * Ctrl-C at a terminal reaches every process of the host's group, and so also a program that was just started and does not have its own group yet.
 * Then its end is known before the host's own signal, and the call would look as if it had failed.
 */
async function endOrInterrupt(child: Child, stop: StopRequest): Promise<ProgramExit | Stopped> {
  const exit = await child.exited
  if (exit.code !== 'SIGINT') return exit
  return (await settlesWithin(INTERRUPT_MS, stop.requested)) ? await stop.requested : exit
}

const toLeft =
  (fate: LeftProcess['fate']) =>
  ({ pid, name }: FoundProcess): LeftProcess => ({ pid, name, fate })

interface StopRequest {
  readonly requested: Promise<Stopped>
  release(): void
}

/** Creates a signal for the deadline, counted from now, and the caller's signal. */
function stopRequest({ timeoutMs, signal }: ProcessPlan): StopRequest {
  const { promise: requested, resolve } = Promise.withResolvers<Stopped>()
  const onAbort = (): void => resolve({ kind: 'stopped', reason: 'cancelled' })
  const stopLimit = limitTime(timeoutMs, () => resolve({ kind: 'stopped', reason: 'timeout' }))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  function release(): void {
    stopLimit()
    signal.removeEventListener('abort', onAbort)
  }
  return { requested, release }
}

/** Connects the pipes. The returned function says which promise reading currently waits for, if any. */
function connect({ stdout, stderr }: Child, plan: ProcessPlan): () => Promise<void> | undefined {
  let waiting: Promise<void> | undefined
  async function pause(until: Promise<void>): Promise<void> {
    stdout.pause()
    await until
    waiting = undefined
    stdout.resume()
  }
  stdout.on('data', (chunk: Uint8Array) => {
    const until = plan.onStdout(chunk)
    if (until) waiting = pause(until)
  })
  stderr.on('data', plan.onStderr)
  return () => waiting
}

/** Waits for the end of the output, unless another process holds it open or the time is over. */
async function drain(
  child: Child,
  run: ProgramExit & { blocked: () => Promise<void> | undefined; stop: StopRequest },
): Promise<Exited | Stopped> {
  const exited = { kind: 'exited', code: run.code, pipesHeld: false, left: [] } as const
  const closed = child.closed.then(() => exited)
  const end = Promise.race([closed, run.stop.requested])
  while (!(await settlesWithin(DRAIN_MS, end))) {
    const waiting = run.blocked()
    if (!waiting) return { ...exited, pipesHeld: true }
    await Promise.race([waiting, end])
  }
  const first = await end
  if (first.kind === 'exited' || first.reason === 'cancelled' || run.blocked()) return first
  // It ended in time: its last output has not been read yet, or another process holds that open.
  return (await settlesWithin(DRAIN_MS, closed)) ? exited : { ...exited, pipesHeld: true }
}
