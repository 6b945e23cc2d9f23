import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { settlesWithin } from '@toolblocks/protocol/internal'
import { ON_LINUX } from './environment.ts'

/** A process that was found by the marker in its environment. */
export interface FoundProcess {
  readonly pid: number
  readonly name: string
  readonly group: number
}

/** Up to this many ids are looked at one by one; above it, the list of processes is read. */
const FEW = 64

/** Finds every process that has `mark` in its environment, or only those started after the process `after`. */
export async function findMarked(mark: string, after?: number): Promise<readonly FoundProcess[]> {
  const all: FoundProcess[] = []
  for await (const marked of eachMarked(mark, after)) all.push(marked)
  return all
}

/** Kills every process that has `mark` in its environment, each when it is found, so that its id cannot be another process's yet. */
export async function killMarked(mark: string): Promise<void> {
  for await (const { pid } of eachMarked(mark)) sendSignal(pid, 'SIGKILL')
}

/** Only Linux shows environments. */
async function* eachMarked(mark: string, after?: number): AsyncGenerator<FoundProcess> {
  const pids = after === undefined ? processIds() : idsBetween(after, lastId(), processIds)
  for await (const pid of inSlices(pids)) {
    const processState = readState(pid)
    if (!processState || !readText(pid, 'environ').includes(mark)) continue
    // A thread has its own folder, which the list does not show.
    if (!readText(pid, 'status').includes(`\nTgid:\t${pid}\n`)) continue
    yield { pid, name: processState.name, group: processState.group }
  }
}

/** Returns the most recent process id, or `undefined` if the system does not report it. */
function lastId(): number | undefined {
  try {
    const last = Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[4])
    return Number.isInteger(last) ? last : undefined
  } catch {
    return undefined
  }
}

/** Returns the ids of processes and threads between two ids, unless all ids may have been used. */
export function idsBetween(
  first: number,
  last: number | undefined,
  all: () => readonly number[],
): readonly number[] {
  if (last === undefined) return all()
  if (last >= first && last - first <= FEW)
    return Array.from({ length: last - first }, (_, index) => first + 1 + index)
  // After the largest id comes the smallest again.
  return all().filter((id) => (last >= first ? id > first && id <= last : id > first || id <= last))
}

/** This many processes are looked at, about a millisecond, before other work may run. */
const SLICE = 64

/** The data of one process in /proc. */
interface ProcessState {
  /** The process name: the program's file name, or a name that it has set. */
  readonly name: string
  /** One letter; `Z` and `X` are dead. */
  readonly state: string
  readonly group: number
}

/** Returns the ids of all processes; empty without /proc. */
export function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Yields ids one by one, and lets other work run in between. */
export async function* inSlices(pids: readonly number[]): AsyncGenerator<number> {
  for (const [index, pid] of pids.entries()) {
    if (index > 0 && index % SLICE === 0) await nextTurn()
    yield pid
  }
}

/** Returns the state of one process, or `undefined` if it does not exist. */
export function readState(pid: number): ProcessState | undefined {
  // Most ids of a range are unused, and an error costs more than a check.
  const stat = existsSync(`/proc/${pid}`) ? readText(pid, 'stat') : ''
  if (stat === '') return undefined
  // The name is in parentheses and may contain anything.
  const end = stat.lastIndexOf(')')
  const [state = '', , group] = stat.slice(end + 2).split(' ')
  return { name: stat.slice(stat.indexOf('(') + 1, end), state, group: Number(group) }
}

/** Returns a file about one process as Latin-1; empty if it cannot be read. */
function readText(pid: number, name: 'stat' | 'status' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** Finds a process of a group that is not dead. */
async function findLivingMember(group: number): Promise<number | undefined> {
  for await (const pid of inSlices(processIds())) if (isLivingMember(pid, group)) return pid
  return undefined
}

/** Whether a process is in a group and not dead. */
function isLivingMember(pid: number, group: number): boolean {
  const processState = readState(pid)
  return processState?.group === group && processState.state !== 'Z' && processState.state !== 'X'
}

/** Sends a signal; a negative number is a group. Returns false if the process or group does not exist, always for groups on Windows. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Milliseconds to wait until a killed process has disappeared. */
export const KILL_MS = 1000

/** Milliseconds that pipes may stay open after a program has ended; the processes that hold them are then killed. */
export const DRAIN_MS = 500

/** Milliseconds before the second check of a group; no event reports its end. Each pause is twice as long as the one before. */
const FIRST_PAUSE_MS = 5

const MAX_PAUSE_MS = 160

/** Waits until a program and its group have ended, or the time is over. Returns false if part of it still runs. */
export async function untilGone(
  { pid, exited }: { readonly pid: number; readonly exited: Promise<unknown> },
  milliseconds: number,
): Promise<boolean> {
  const deadline = performance.now() + milliseconds
  if (!(await settlesWithin(milliseconds, exited))) return false
  let member: number | undefined
  let pause = FIRST_PAUSE_MS
  // Dead processes stay until their parent reaps them; only Linux distinguishes them. A living one is checked first next time.
  while (sendSignal(-pid, 0)) {
    if (ON_LINUX && (member === undefined || !isLivingMember(member, pid))) {
      member = await findLivingMember(pid)
      if (member === undefined) return true
    }
    const left = deadline - performance.now()
    if (left <= 0) return false
    await sleep(Math.min(pause, left))
    pause = Math.min(2 * pause, MAX_PAUSE_MS)
  }
  return true
}
