import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process that was found by the mark in its environment. */
export interface FoundProcess {
  readonly pid: number
  /** What the system calls it: the program's file name, or what it calls itself. */
  readonly name: string
  readonly group: number
  /** In clock ticks since boot: with `pid` it names one process for good. */
  readonly startTime: string
}

/** So few numbers are looked at one by one; for more, the list of processes is read. */
const FEW = 64

/**
 * Every process that has `mark` in its environment, or of those that were started after the process `after`. Only Linux
 * shows environments, in /proc.
 */
export function findMarked(mark: string, after?: number): readonly FoundProcess[] {
  const pids = after === undefined ? processIds() : idsSince(after)
  return pids.flatMap((pid) => {
    const folder = `/proc/${pid}`
    if (!existsSync(folder)) return []
    const stat = readText(`${folder}/stat`)
    const { group, startTime } = readStat(stat)
    if (!readText(`${folder}/environ`).includes(mark)) return []
    // A thread has a folder of its own that the list does not show.
    if (!readText(`${folder}/status`).includes(`\nTgid:\t${pid}\n`)) return []
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    return [{ pid, name, group, startTime }]
  })
}

/** Whether this is still the process that was found: its number may have been given to another. */
export function isStill({ pid, startTime }: FoundProcess): boolean {
  return readStat(readText(`/proc/${pid}/stat`)).startTime === startTime
}

/** Whether a group has a member that is not dead; dead ones stay until somebody reaps them. */
export function hasLivingMember(group: number): boolean {
  return processIds().some((pid) => {
    const stat = readStat(readText(`/proc/${pid}/stat`))
    return stat.group === group && stat.state !== 'Z' && stat.state !== 'X'
  })
}

/** The numbers given to processes and threads since one was started, if fewer were than there are numbers. */
function idsSince(pid: number): readonly number[] {
  const last = Number(readText('/proc/loadavg').split(' ')[4])
  if (!Number.isInteger(last)) return processIds()
  if (last >= pid && last - pid <= FEW)
    return Array.from({ length: last - pid }, (_, index) => pid + 1 + index)
  // Behind the greatest number comes the smallest again.
  return processIds().filter((id) =>
    last >= pid ? id > pid && id <= last : id > pid || id <= last,
  )
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** What follows the name, which is in parentheses and may contain anything. */
function readStat(stat: string): { state: string; group: number; startTime: string } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', group: Number(fields[2]), startTime: fields[19] ?? '' }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
