import { setTimeout as sleep } from 'node:timers/promises'
import { ON_LINUX } from '../platform.ts'
import { findLivingMember, isLivingMember } from './process-table.ts'
import { sendSignal } from './send-signal.ts'
import { within } from './within.ts'

/** How long what was killed may take to disappear before it is given up, in milliseconds. */
export const KILL_MS = 1000
/** How long the pipes may stay open once a program has ended, in milliseconds; what holds them is then killed. */
export const DRAIN_MS = 500

/** Pauses between two looks at a group, in milliseconds: nothing tells when it has ended. Each is twice as long. */
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 160

/** A program that leads a process group. */
interface Leader {
  readonly pid: number
  readonly exited: Promise<unknown>
}

/** Waits until a program has ended and its group with it, or the time is over. False: something of it still runs. */
export async function untilGone({ pid, exited }: Leader, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds
  if (!(await within(milliseconds, exited))) return false
  let member: number | undefined
  let pause = FIRST_PAUSE_MS
  // The dead stay until somebody reaps them; only Linux tells them apart. A living one is looked at again first.
  while (sendSignal(-pid, 0)) {
    if (ON_LINUX && (member === undefined || !isLivingMember(member, pid))) {
      member = await findLivingMember(pid)
      if (member === undefined) return true
    }
    const left = deadline - performance.now()
    if (left <= 0) return false
    await sleep(Math.min(pause, left))
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
  }
  return true
}
