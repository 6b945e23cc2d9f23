import {
  closeFile,
  createTemporaryFile,
  ON_WINDOWS,
  startScript,
  writeAt,
} from './operating-system.ts'

/** Waits until the host is gone, however it went, and kills the groups that are listed in the file then. */
const SCRIPT = `
trap '' HUP INT TERM
exec 3<"$1" && rm -f -- "$1"
read -r nothing
for group in $(cat <&3); do kill -s KILL -- "-$group"; done
`
/** A group's number, padded, and a line end; blanks where no tool runs. */
const SLOT_BYTES = 12

/** The groups of the tools that run now, by slot. */
const groups: (number | undefined)[] = []
/** The list as the watcher sees it: a file, so that a call costs two small writes and wakes nobody. */
let list: number | undefined

/** Has a process group killed if this process ends before the returned function is called. Not on Windows. */
export function watchGroup(group: number): () => void {
  if (ON_WINDOWS) return () => {}
  const free = groups.indexOf(undefined)
  const slot = free === -1 ? groups.length : free
  setSlot(slot, group)
  return () => setSlot(slot, undefined)
}

function setSlot(slot: number, group: number | undefined): void {
  groups[slot] = group
  try {
    list ??= startWatcher()
    writeAt(list, slot * SLOT_BYTES, line(group))
  } catch {
    // No temporary folder, no room in it, no shell: calls go on, only unwatched.
  }
}

function startWatcher(): number {
  const { path, file } = createTemporaryFile()
  writeAt(file, 0, groups.map(line).join(''))
  startScript(SCRIPT, path, () => {
    list = undefined
    closeFile(file)
  })
  return file
}

function line(group: number | undefined): string {
  return `${group ?? ''}`.padEnd(SLOT_BYTES - 1) + '\n'
}
