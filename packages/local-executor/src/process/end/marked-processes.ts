import { readFileSync } from 'node:fs'
import { inSlices, processIds, readState, readText } from './process-table.ts'
import { sendSignal } from './send-signal.ts'

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
