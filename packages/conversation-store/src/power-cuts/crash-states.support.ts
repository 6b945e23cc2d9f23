import { getFolder, type Operation } from './recording.support.ts'

/** What a disk contains after a power cut: folders, and files with their bytes, by path. */
export interface CrashState {
  /** The last event that was acknowledged before the cut. */
  acknowledged: number
  folders: readonly string[]
  files: ReadonlyMap<string, Buffer>
  /** The header of the index file at one of the appends before; absent: the file was lost. */
  index?: Buffer
}

/** Which of the changes that were not synced reached the disk. `torn` keeps any sectors of a write. */
export const VARIANTS = [
  { kept: 'none' },
  { kept: 'all' },
  { kept: 'last' },
  { kept: 'some' },
  { kept: 'torn', sector: 512 },
  { kept: 'torn', sector: 4096 },
] as const
export type Variant = (typeof VARIANTS)[number]

type FileChange = Extract<Operation, { kind: 'write' | 'truncate' }>
type FolderChange = Extract<Operation, { kind: 'create' | 'create-folder' | 'remove' }>

/** What was synced, and the changes since then. */
interface DiskFile {
  synced: Buffer
  pending: FileChange[]
}

/** A disk while a recording is repeated. */
interface Disk {
  acknowledged: number
  indexes: Buffer[]
  files: Map<number, DiskFile>
  /** The entries of each folder: the number of a file, or `folder`. */
  synced: Map<string, number | 'folder'>
  pending: FolderChange[]
}

/** Repeats a recording. Calls back after each change with a function that rebuilds states of a power cut at this moment. */
export async function cutEverywhere(
  operations: readonly Operation[],
  visit: (
    cut: number,
    rebuild: (variant: Variant, random: () => number) => CrashState,
  ) => Promise<void>,
): Promise<void> {
  const disk: Disk = {
    acknowledged: 0,
    indexes: [],
    files: new Map(),
    synced: new Map(),
    pending: [],
  }
  for (const [cut, operation] of operations.entries()) {
    repeat(disk, operation)
    await visit(cut, (variant, random) => rebuild(disk, variant, random))
  }
}

function repeat(disk: Disk, operation: Operation): void {
  switch (operation.kind) {
    case 'create':
      disk.files.set(operation.file, { synced: Buffer.alloc(0), pending: [] })
      disk.pending.push(operation)
      return
    case 'create-folder':
    case 'remove':
      disk.pending.push(operation)
      return
    case 'write':
    case 'truncate':
      disk.files.get(operation.file)?.pending.push(operation)
      return
    case 'sync': {
      const file = disk.files.get(operation.file)
      if (!file) return
      file.synced = file.pending.reduce(changeFile, file.synced)
      file.pending = []
      return
    }
    case 'sync-folder': {
      const isIn = ({ path }: FolderChange): boolean => getFolder(path) === operation.path
      for (const change of disk.pending.filter(isIn)) changeFolder(disk.synced, change)
      disk.pending = disk.pending.filter((change) => !isIn(change))
      return
    }
    case 'index':
      disk.indexes.push(operation.bytes)
      return
    case 'acknowledge':
      disk.acknowledged = operation.seq
      return
    default:
      operation satisfies never
  }
}

function rebuild(disk: Disk, variant: Variant, random: () => number): CrashState {
  const entries = new Map(disk.synced)
  for (const change of disk.pending)
    if (variant.kept === 'all' || (variant.kept !== 'none' && random() < 0.5))
      changeFolder(entries, change)
  const paths = [...entries].filter(([path]) => isReachable(entries, path))
  const files = new Map<string, Buffer>()
  for (const [path, entry] of paths) {
    const file = entry === 'folder' ? undefined : disk.files.get(entry)
    if (file) files.set(path, choose(file.pending, variant, random).reduce(changeFile, file.synced))
  }
  const folders = paths.filter(([, entry]) => entry === 'folder').map(([path]) => path)
  // The disk has the index of one of the last four appends, or none.
  const index = disk.indexes.at(-1 - Math.floor(random() * 4))
  const hasIndex = index !== undefined && random() < 0.75
  return { acknowledged: disk.acknowledged, folders, files, ...(hasIndex && { index }) }
}

/** A file cannot be reached if the entry of a folder above it was lost. */
function isReachable(entries: ReadonlyMap<string, number | 'folder'>, path: string): boolean {
  const folder = getFolder(path)
  return folder === '' || (entries.has(folder) && isReachable(entries, folder))
}

function choose(
  pending: readonly FileChange[],
  variant: Variant,
  random: () => number,
): readonly FileChange[] {
  switch (variant.kept) {
    case 'none':
      return []
    case 'all':
      return pending
    case 'last':
      return pending.slice(-1)
    case 'some':
      return pending.filter(() => random() < 0.5)
    case 'torn':
      return pending.flatMap((change) => tear(change, variant.sector)).filter(() => random() < 0.7)
    default:
      return variant satisfies never
  }
}

/** Divides a write at the sectors of a disk. */
function tear(change: FileChange, sector: number): readonly FileChange[] {
  if (change.kind === 'truncate') return [change]
  const parts: FileChange[] = []
  for (let position = 0; position < change.bytes.length;) {
    const offset = change.offset + position
    const end = Math.min(change.bytes.length, position + sector - (offset % sector))
    parts.push({ ...change, offset, bytes: change.bytes.subarray(position, end) })
    position = end
  }
  return parts
}

function changeFile(content: Buffer, change: FileChange): Buffer {
  const { length } = content
  const end =
    change.kind === 'truncate'
      ? change.length
      : Math.max(length, change.offset + change.bytes.length)
  const changed = Buffer.alloc(end)
  content.copy(changed)
  if (change.kind === 'write') change.bytes.copy(changed, change.offset)
  return changed
}

function changeFolder(entries: Map<string, number | 'folder'>, change: FolderChange): void {
  if (change.kind === 'remove') entries.delete(change.path)
  else entries.set(change.path, change.kind === 'create' ? change.file : 'folder')
}
