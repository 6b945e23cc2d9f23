import { randomUUID } from 'node:crypto'
import { ON_WINDOWS } from './environment.ts'
import { type FoundProcess, findMarked, killMarked, sendSignal } from './end-processes.ts'
import { RUN_ID, watchRun } from './run-watcher.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { type Child, explainSpawnError, startChild } from './start-child.ts'
import { explainNoInterpreter } from './explain-no-interpreter.ts'
import { findProgram, getKind, readStart } from './find-program.ts'

/** No system starts as many processes in this time as it has ids. In milliseconds. */
const RECENT_MS = 1000

/** A running program that is killed if this process ends before `release` is called. */
export interface Launched {
  readonly child: Child
  /** Kills the rest of its processes: in its group and, if they can be found, outside of it. */
  kill(): Promise<void>
  /** Finds processes that it started outside of its group and that still run after its end; only on Linux. */
  findLeft(): Promise<readonly FoundProcess[]>
  /** Stops watching it. */
  release(): void
}

/** Returns the path of a program, or why it cannot be started from this folder. */
export function locateProgram({ program, cwd, env }: LaunchPlan): ReturnType<typeof findProgram> {
  if (getKind(cwd) !== 'directory')
    return { ok: false, message: `The working folder ${cwd} is not a directory.` }
  const extensions = ON_WINDOWS ? (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';') : []
  return findProgram(program, { cwd, path: env['PATH'] ?? '', extensions }, getKind)
}

/** Returns the path of a program that the operating system can start, or why it cannot be started from this folder. */
export function locateRunnable(plan: LaunchPlan): ReturnType<typeof findProgram> {
  const located = locateProgram(plan)
  const message = located.ok && !ON_WINDOWS ? explainNoInterpreter(located.path) : undefined
  return message === undefined ? located : { ok: false, message }
}

/** Explains why a program that was found could not be started. */
export function explainStart(code: string, path: string): string {
  return explainSpawnError(code, path, readStart(path))
}

/** Starts a program, or explains why it cannot be started. */
export async function launchProgram(
  plan: LaunchPlan,
): Promise<({ ok: true } & Launched) | { ok: false; message: string }> {
  const located = locateRunnable(plan)
  if (!located.ok) return located
  const runId = randomUUID()
  const watch = watchRun(runId)
  const env = { ...plan.env, [RUN_ID]: runId }
  const started = await startChild({ ...plan, program: located.path, env }).catch((error) => {
    watch.release()
    throw error
  })
  if (!started.ok) {
    watch.release()
    return { ok: false, message: explainStart(started.code, located.path) }
  }
  const { child } = started
  const startedAt = performance.now()
  watch.setGroup(child.pid)
  async function kill(): Promise<void> {
    sendSignal(-child.pid, 'SIGKILL')
    // Windows has no groups: the tree of processes is ended at once.
    if (ON_WINDOWS) child.terminate()
    await killMarked(`${RUN_ID}=${runId}`)
  }
  async function findLeft(): Promise<readonly FoundProcess[]> {
    // Process ids wrap around. In a short time they cannot have, and then only few processes need a check.
    const isRecent = performance.now() - startedAt < RECENT_MS
    const marked = await findMarked(`${RUN_ID}=${runId}`, isRecent ? child.pid : undefined)
    return marked.filter(({ group }) => group !== child.pid)
  }
  function release(): void {
    watch.release()
    child.release()
  }
  return { ok: true, child, kill, findLeft, release }
}
