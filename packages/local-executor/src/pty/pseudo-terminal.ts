import { getErrorText, settlesWithin } from '@toolblocks/protocol/internal'
import { randomUUID } from 'node:crypto'
import { KILL_MS, killMarked, sendSignal, untilGone } from '../process/end-processes.ts'
import { locateRunnable } from '../process/launch-program.ts'
import { RUN_ID, watchRun } from '../process/run-watcher.ts'
import type { LaunchPlan } from '../process/launch-plan.ts'
import type { PtyLibraries } from './load-libraries.ts'

/** How a program in a pseudo-terminal ended. */
export interface PtyExit {
  readonly exitCode: number
  readonly signal?: number
}

/** A program whose standard streams are a terminal. */
export interface PseudoTerminal {
  type(text: string): void
  onData(listener: (data: string) => void): void
  /** Blocks the program's writes. */
  pause(): void
  resume(): void
  readonly exited: Promise<PtyExit>
  /** Sends SIGTERM, then kills it and all processes that it started. */
  end(graceMs: number): Promise<void>
}

/** Starts a program in its own pseudo-terminal, or says why it cannot be started. */
export function openPseudoTerminal(
  spawn: PtyLibraries['spawn'],
  plan: LaunchPlan,
): { ok: true; terminal: PseudoTerminal } | { ok: false; message: string } {
  const located = locateRunnable(plan)
  if (!located.ok) return located
  const runId = randomUUID()
  const watch = watchRun(runId)
  const env = { ...plan.env, TERM: 'xterm-256color', [RUN_ID]: runId }
  const options = { name: 'xterm-256color', rows: ROWS, cols: COLUMNS, cwd: plan.cwd, env }
  const started = start(() => spawn(located.path, [...plan.args], options))
  if (!started.ok) {
    watch.release()
    return started
  }
  const { pty } = started
  watch.setGroup(pty.pid)
  const exited = new Promise<PtyExit>((resolve) => pty.onExit(resolve))
  let isOver = false
  void exited.then(() => {
    isOver = true
    watch.release()
  })

  const leader = { pid: pty.pid, exited }

  /** At first the program has no group of its own; after its end, its id may belong to another process. */
  function signalAll(signal: NodeJS.Signals): void {
    if (!sendSignal(-pty.pid, signal) && !isOver) sendSignal(pty.pid, signal)
  }

  async function end(graceMs: number): Promise<void> {
    signalAll('SIGHUP')
    await untilGone(leader, graceMs)
    signalAll('SIGKILL')
    const killed = killMarked(`${RUN_ID}=${runId}`)
    await settlesWithin(KILL_MS, Promise.all([killed, untilGone(leader, KILL_MS)]))
  }

  const terminal: PseudoTerminal = {
    type: (text) => pty.write(text),
    onData: (listener) => void pty.onData(listener),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    exited,
    end,
  }
  return { ok: true, terminal }
}

/** The library throws if the system has no free terminal. */
function start<Pty>(spawn: () => Pty): { ok: true; pty: Pty } | { ok: false; message: string } {
  try {
    return { ok: true, pty: spawn() }
  } catch (error) {
    const reason = getErrorText(error)
    return { ok: false, message: `No pseudo-terminal could be opened: ${reason}` }
  }
}

/** The size of the screen of an interactive program. */
export const ROWS = 24

export const COLUMNS = 80
