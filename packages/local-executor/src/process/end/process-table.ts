import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** So many processes are looked at, about a millisecond, before others get their turn. */
const SLICE = 64

/** What /proc says about one process. */
export interface ProcessState {
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
export function readText(pid: number, name: 'stat' | 'status' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** A process of a group that is not dead, if there is one. */
export async function findLivingMember(group: number): Promise<number | undefined> {
  for await (const pid of inSlices(processIds())) if (isLivingMember(pid, group)) return pid
  return undefined
}

/** Whether a process is in a group and not dead. */
export function isLivingMember(pid: number, group: number): boolean {
  const found = readState(pid)
  return found?.group === group && found.state !== 'Z' && found.state !== 'X'
}
