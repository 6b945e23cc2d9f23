import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** What a server gets after its input ended, and again after it was asked to end. */
const GRACE_MS = 2000

/** What one gets after SIGTERM that has not been talked to: it has nothing to finish. */
const SHORT_GRACE_MS = 300

/** Ends a program and what it started: end of input, then SIGTERM, then SIGKILL. */
export async function endProgram(child: ChildProcess): Promise<void> {
  await end(child, async (ended, pid) => {
    if (await isWithin(ended, GRACE_MS)) return
    signalGroup(pid, 'SIGTERM')
    await isWithin(ended, GRACE_MS)
  })
}

/** Ends a program that has not said hello, and what it started: SIGTERM, then SIGKILL. */
export async function abandonProgram(child: ChildProcess): Promise<void> {
  await end(child, async (ended, pid) => {
    signalGroup(pid, 'SIGTERM')
    await isWithin(ended, SHORT_GRACE_MS)
  })
}

async function end(
  child: ChildProcess,
  wait: (ended: Promise<void>, pid: number) => Promise<void>,
): Promise<void> {
  if (child.pid === undefined) return
  const ended = isOver(child) ? Promise.resolve() : once(child, 'exit').then(() => undefined)
  child.stdin?.end()
  await wait(ended, child.pid)
  // Also what the program left behind.
  signalGroup(child.pid, 'SIGKILL')
  child.stdout?.destroy()
  child.stderr?.destroy()
  await isWithin(ended, GRACE_MS)
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function isWithin(ended: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const isEnded = await Promise.race([ended.then(() => true), late])
  clearTimeout(timer)
  return isEnded
}

/** The group where there is one; nothing where it is gone. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // It has ended.
  }
}
