import { ON_WINDOWS } from './environment.ts'
import { letRun, spawnScript } from './spawn.ts'
import { closeFile, createTemporaryFile, writeAt } from './standard-streams.ts'

/** What every process of a run has in its environment. */
export const RUN_ID = 'TOOL_RUN_ID'

/**
 * Waits until the host is gone, however it went, and kills what the list names then: groups, and, where /proc shows
 * environments, who left its group or was being started. Later looks find what had not been executed at the first.
 */
const SCRIPT = `
trap '' HUP INT TERM
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

/** The runs of now, by slot. */
const runs: (WatchedRun | undefined)[] = []
/** The watcher's list: a file, so that a call costs three small writes and wakes nobody. */
let list: number | undefined
let isPossible = !ON_WINDOWS

/** A run that is killed if this process ends before `release` is called. Not on Windows. */
export interface Watch {
  /** Tells the group, as soon as it is known. */
  setGroup(group: number): void
  release(): void
}

/** Watches a run from before its start. */
export function watchRun(id: string): Watch {
  const free = runs.indexOf(undefined)
  const slot = free === -1 ? runs.length : free
  setSlot(slot, { id })
  return {
    setGroup: (group) => setSlot(slot, { id, group }),
    release: () => {
      // A second time, the slot may be another run's.
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
    // No temporary folder, no room in it, no shell: calls go on unwatched.
    isPossible = false
  }
}

function startWatcher(): number {
  const { path, file } = createTemporaryFile()
  const watcher = spawnScript(SCRIPT, [path], 'ignore')
  if (watcher.pid === undefined) throw new Error('/bin/sh could not be started')
  watcher.once('exit', () => {
    list = undefined
    closeFile(file)
  })
  letRun(watcher)
  writeAt(file, 0, runs.map(line).join(''))
  return file
}

/** An id of 36 characters, a group's number, blanks, and a line end. */
const LINE_BYTES = 48

function line(run: WatchedRun | undefined): string {
  const text = run ? `${run.id} ${run.group ?? ''}` : ''
  return `${text.padEnd(LINE_BYTES - 1)}\n`
}
