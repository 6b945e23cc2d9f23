import { ON_WINDOWS } from './environment.ts'
import { letRun, spawnScript } from './spawn.ts'
import { chooseTemporaryPath, closeFile, createFile, writeAt } from './standard-streams.ts'

/** The variable that every process of a run has in its environment. */
export const RUN_ID = 'TOOL_RUN_ID'

/**
 * Waits until the host has ended for any reason, then kills the runs in the list: groups, and, if /proc shows environments, processes that left
 * their group or were being started. Later searches find programs that had not been executed at the first. The host creates the list and writes a
 * line only when this script runs: it removes the name of the list in any case, also if the host is killed before the line.
 */
const SCRIPT = `
trap '' HUP INT TERM
read -r created
exec 3<"$1" && rm -f -- "$1"
read -r nothing
marks=
while read -r id group; do
  [ -n "$id" ] && marks="$marks -e ${RUN_ID}=$id"
  [ -n "$group" ] && kill -s KILL -- "-$group"
done <&3
[ -n "$marks" ] || exit 0
for pause in 1 2 0; do
  for file in $(grep -laF $marks /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s KILL "\${pid%/environ}"
  done
  sleep $pause
done
`

interface WatchedRun {
  readonly id: string
  readonly group?: number
}

/** The current runs, by slot. */
const runs: (WatchedRun | undefined)[] = []
/** The watcher's list: a file, so that a call costs three small writes and wakes no process. */
let list: number | undefined
let isPossible = !ON_WINDOWS

/** A run that is killed if this process ends before `release` is called. Not on Windows. */
export interface Watch {
  /** Records the group, as soon as it is known. */
  setGroup(group: number): void
  release(): void
}

/** Watches a run, beginning before its start. */
export function watchRun(id: string): Watch {
  const free = runs.indexOf(undefined)
  const slot = free === -1 ? runs.length : free
  setSlot(slot, { id })
  return {
    setGroup: (group) => setSlot(slot, { id, group }),
    release: () => {
      // After the first call, the slot may belong to another run.
      if (runs[slot]?.id === id) setSlot(slot, undefined)
    },
  }
}

function setSlot(slot: number, run: WatchedRun | undefined): void {
  runs[slot] = run
  if (!isPossible) return
  try {
    list ??= startWatcher()
    writeAt(list, slot * LINE_BYTES, line(run))
  } catch {
    // Without a temporary folder, space in it, or a shell, calls run without a watcher.
    isPossible = false
  }
}

function startWatcher(): number {
  const path = chooseTemporaryPath()
  const watcher = spawnScript(SCRIPT, [path], 'ignore')
  if (watcher.pid === undefined) throw new Error('/bin/sh could not be started')
  letRun(watcher)
  // It may be killed at any time.
  watcher.stdin?.once('error', () => {})
  try {
    const file = createFile(path)
    watcher.once('exit', () => {
      list = undefined
      closeFile(file)
    })
    writeAt(file, 0, runs.map(line).join(''))
    return file
  } finally {
    // Without the file, the script ends.
    watcher.stdin?.write('\n')
  }
}

/** An id of 36 characters, the number of a group, blanks, and a line end. */
const LINE_BYTES = 48

function line(run: WatchedRun | undefined): string {
  const text = run ? `${run.id} ${run.group ?? ''}` : ''
  return `${text.padEnd(LINE_BYTES - 1)}\n`
}
