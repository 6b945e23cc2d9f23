import { randomUUID } from 'node:crypto'
import { ON_WINDOWS } from './environment.ts'
import { type FoundProcess, findMarked, killMarked, sendSignal } from './end-processes.ts'
import { RUN_ID, watchRun } from './run-watcher.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { type Child, explainSpawnError, startChild } from './start-child.ts'
import { findProgram, getKind, readStart } from './find-program.ts'

/** In this time no system starts as many processes as it has numbers. In milliseconds. */
const RECENT_MS = 1000

/** A program that runs, and is killed should this process end before it is let go. */
export interface Launched {
  readonly child: Child
  /** Kills what is left of it, in its group and, where that can be seen, outside of it. */
  kill(): Promise<void>
  /** What it has started and runs outside of its group, once it has ended; only Linux lets us look. */
  findLeft(): Promise<readonly FoundProcess[]>
  /** Lets go of it; it is not watched any more. */
  release(): void
}

/** Where a program is, or why it cannot be started from this folder. */
export function locateProgram({ program, cwd, env }: LaunchPlan): ReturnType<typeof findProgram> {
  if (getKind(cwd) !== 'directory')
    return { ok: false, message: `The working folder ${cwd} is not a directory.` }
  const extensions = ON_WINDOWS ? (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';') : []
  return findProgram(program, { cwd, path: env['PATH'] ?? '', extensions }, getKind)
}

/** Says why a program that was found could not be started. */
export function explainStart(code: string, path: string): string {
  return explainSpawnError(code, path, readStart(path))
}

/** Starts a program, or says why it cannot be started. */
export async function launchProgram(
  plan: LaunchPlan,
): Promise<({ ok: true } & Launched) | { ok: false; message: string }> {
  const found = locateProgram(plan)
  if (!found.ok) return found
  const runId = randomUUID()
  const watch = watchRun(runId)
  const env = { ...plan.env, [RUN_ID]: runId }
  const started = await startChild({ ...plan, program: found.path, env }).catch((error) => {
    watch.release()
    throw error
  })
  if (!started.ok) {
    watch.release()
    return { ok: false, message: explainStart(started.code, found.path) }
  }
  const { child } = started
  const startedAt = performance.now()
  watch.setGroup(child.pid)
  async function kill(): Promise<void> {
    sendSignal(-child.pid, 'SIGKILL')
    // No groups there: the tree of processes is ended at once.
    if (ON_WINDOWS) child.terminate()
    await killMarked(`${RUN_ID}=${runId}`)
  }
  async function findLeft(): Promise<readonly FoundProcess[]> {
    // Numbers go round: in a short time they cannot have, and then few processes come into question.
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
