import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** What a server gets after its input ended, and again after it was asked to end. */
const GRACE_MS = 2000

/** Ends a program and what it started: end of input, then SIGTERM, then SIGKILL. */
export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  const ended = isOver(child) ? Promise.resolve() : once(child, 'exit').then(() => undefined)
  child.stdin?.end()
  if (!(await isWithin(ended, GRACE_MS))) {
    signalGroup(child.pid, 'SIGTERM')
    await isWithin(ended, GRACE_MS)
  }
  // Also what the program left behind.
  signalGroup(child.pid, 'SIGKILL')
  child.stdout?.destroy()
  child.stderr?.destroy()
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
