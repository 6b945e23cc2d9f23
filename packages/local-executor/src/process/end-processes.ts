import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ON_LINUX } from './environment.ts'

/** A process that was found by the mark in its environment. */
export interface FoundProcess {
  readonly pid: number
  readonly name: string
  readonly group: number
}

/** So few numbers are looked at one by one; for more, the list of processes is read. */
const FEW = 64

/** Every process that has `mark` in its environment, or of those that were started after the process `after`. */
export async function findMarked(mark: string, after?: number): Promise<readonly FoundProcess[]> {
  const all: FoundProcess[] = []
  for await (const found of eachMarked(mark, after)) all.push(found)
  return all
}

/** Kills every process that has `mark` in its environment, each as it is found: its number cannot be another's by then. */
export async function killMarked(mark: string): Promise<void> {
  for await (const { pid } of eachMarked(mark)) sendSignal(pid, 'SIGKILL')
}

/** Only Linux shows environments. */
async function* eachMarked(mark: string, after?: number): AsyncGenerator<FoundProcess> {
  const pids = after === undefined ? processIds() : idsBetween(after, lastId(), processIds)
  for await (const pid of inSlices(pids)) {
    const found = readState(pid)
    if (!found || !readText(pid, 'environ').includes(mark)) continue
    // A thread has a folder of its own that the list does not show.
    if (!readText(pid, 'status').includes(`\nTgid:\t${pid}\n`)) continue
    yield { pid, name: found.name, group: found.group }
  }
}

/** The number that was given last; `undefined` where nobody says it. */
function lastId(): number | undefined {
  try {
    const last = Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[4])
    return Number.isInteger(last) ? last : undefined
  } catch {
    return undefined
  }
}

/** The numbers given to processes and threads from one to another, if fewer were than there are numbers. */
export function idsBetween(
  first: number,
  last: number | undefined,
  all: () => readonly number[],
): readonly number[] {
  if (last === undefined) return all()
  if (last >= first && last - first <= FEW)
    return Array.from({ length: last - first }, (_, index) => first + 1 + index)
  // Behind the greatest number comes the smallest again.
  return all().filter((id) => (last >= first ? id > first && id <= last : id > first || id <= last))
}

/** So many processes are looked at, about a millisecond, before others get their turn. */
const SLICE = 64

/** What /proc says about one process. */
interface ProcessState {
  /** What the system calls it: the program's file name, or what it calls itself. */
  readonly name: string
  /** One letter; `Z` and `X` are dead. */
  readonly state: string
  readonly group: number
}

/** The numbers of all processes; none where there is no /proc. */
export function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Gives numbers one by one, and lets others work in between. */
export async function* inSlices(pids: readonly number[]): AsyncGenerator<number> {
  for (const [index, pid] of pids.entries()) {
    if (index > 0 && index % SLICE === 0) await nextTurn()
    yield pid
  }
}

/** One process; `undefined` where there is none. */
export function readState(pid: number): ProcessState | undefined {
  // Most numbers of a range are nobody's, and an error costs more than a look.
  const stat = existsSync(`/proc/${pid}`) ? readText(pid, 'stat') : ''
  if (stat === '') return undefined
  // The name is in parentheses and may contain anything.
  const end = stat.lastIndexOf(')')
  const [state = '', , group] = stat.slice(end + 2).split(' ')
  return { name: stat.slice(stat.indexOf('(') + 1, end), state, group: Number(group) }
}

/** A file about one process as Latin-1; empty where it cannot be read. */
function readText(pid: number, name: 'stat' | 'status' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** A process of a group that is not dead, if there is one. */
async function findLivingMember(group: number): Promise<number | undefined> {
  for await (const pid of inSlices(processIds())) if (isLivingMember(pid, group)) return pid
  return undefined
}

/** Whether a process is in a group and not dead. */
function isLivingMember(pid: number, group: number): boolean {
  const found = readState(pid)
  return found?.group === group && found.state !== 'Z' && found.state !== 'X'
}

/** Sends a signal; a negative number is a group. False: nobody is there, always so for groups on Windows. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** How long what was killed may take to disappear before it is given up, in milliseconds. */
export const KILL_MS = 1000

/** How long the pipes may stay open once a program has ended, in milliseconds; what holds them is then killed. */
export const DRAIN_MS = 500

/** Pauses between two looks at a group, in milliseconds: nothing tells when it has ended. Each is twice as long. */
const FIRST_PAUSE_MS = 5

const MAX_PAUSE_MS = 160

/** Waits until a program has ended and its group with it, or the time is over. False: something of it still runs. */
export async function untilGone(
  { pid, exited }: { readonly pid: number; readonly exited: Promise<unknown> },
  milliseconds: number,
): Promise<boolean> {
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
    pause = Math.min(2 * pause, MAX_PAUSE_MS)
  }
  return true
}

/** Whether a promise is fulfilled in time; a rejection is passed on. */
export async function within(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(late.resolve, milliseconds, false)
  const inTime = await Promise.race([promise.then(() => true), late.promise])
  clearTimeout(timer)
  return inTime
}
