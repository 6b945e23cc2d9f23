import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One change of the disk, or a moment at which changes become durable or appends are acknowledged. */
export type Operation =
  | { kind: 'create'; path: string; file: number }
  | { kind: 'create-folder' | 'remove'; path: string }
  | { kind: 'sync-folder'; path: string }
  | { kind: 'write'; file: number; offset: number; bytes: Buffer }
  | { kind: 'truncate'; file: number; length: number }
  | { kind: 'sync'; file: number }
  /** The header of the index file `-shm` after an append. */
  | { kind: 'index'; bytes: Buffer }
  /** The last acknowledged event. */
  | { kind: 'acknowledge'; seq: number }

export type RecordedDurability = 'full' | 'normal' | 'off'

const RECORDER = fileURLToPath(new URL('record-writes.support.c', import.meta.url))
const WRITER = fileURLToPath(new URL('recorded-writer.support.ts', import.meta.url))

/** Returns why writes cannot be recorded on this machine; `undefined` if they can. */
export function findRecordingProblem(): string | undefined {
  if (process.platform !== 'linux') return 'writes are recorded with LD_PRELOAD, on Linux only'
  const { error } = spawnSync('cc', ['--version'])
  return error ? 'there is no C compiler `cc`' : undefined
}

/** Compiles the recorder and records a writer in a folder. */
export function recordWriter(
  folder: string,
  { durability, appends }: { durability: RecordedDurability; appends: number },
): readonly Operation[] {
  const library = join(folder, 'record.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, RECORDER, '-ldl', '-lpthread'])
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const recording = join(folder, 'recording')
  execFileSync(process.execPath, [WRITER, disk, durability, String(appends)], {
    env: {
      ...process.env,
      LD_PRELOAD: library,
      RECORDED_FOLDER: disk,
      RECORDING: recording,
    },
  })
  return readRecording(readFileSync(recording), disk)
}

const HEAD_BYTES = 17

/** Reads the records of `record-writes.support.c`. The index file `-shm` is written through memory, so its records are omitted. */
function readRecording(bytes: Buffer, disk: string): readonly Operation[] {
  const operations: Operation[] = []
  const files = new Map<string, number>()
  /** Open descriptors: a file, a folder, or something that is not recorded. */
  const descriptors = new Map<number, { file: number } | { folder: string }>()
  let created = 0
  for (let position = 0; position < bytes.length;) {
    const kind = String.fromCharCode(bytes[position] ?? 0)
    const descriptor = bytes.readInt32LE(position + 1)
    const offset = Number(bytes.readBigInt64LE(position + 9))
    const end = position + HEAD_BYTES + bytes.readUInt32LE(position + 5)
    const content = bytes.subarray(position + HEAD_BYTES, end)
    const path = content.toString().slice(disk.length + 1)
    const target = descriptors.get(descriptor)
    position = end
    if ('codu'.includes(kind) && path.endsWith('-shm')) continue
    switch (kind) {
      case 'c':
        files.set(path, ++created)
        operations.push({ kind: 'create', path, file: created })
        break
      case 'd':
        operations.push({ kind: 'create-folder', path })
        break
      case 'u':
        files.delete(path)
        operations.push({ kind: 'remove', path })
        break
      case 'o': {
        const file = files.get(path)
        descriptors.set(descriptor, file === undefined ? { folder: path } : { file })
        if (file !== undefined && offset === 1)
          operations.push({ kind: 'truncate', file, length: 0 })
        break
      }
      case 'x':
        descriptors.delete(descriptor)
        break
      case 'w':
        if (!target || !('file' in target)) break
        if (target.file === files.get('acknowledged'))
          operations.push({ kind: 'acknowledge', seq: Number(content.toString()) })
        else if (target.file === files.get('index'))
          operations.push({ kind: 'index', bytes: content })
        else operations.push({ kind: 'write', file: target.file, offset, bytes: content })
        break
      case 't':
        if (target && 'file' in target)
          operations.push({ kind: 'truncate', file: target.file, length: offset })
        break
      case 's':
        if (!target) break
        operations.push(
          'file' in target
            ? { kind: 'sync', file: target.file }
            : { kind: 'sync-folder', path: target.folder },
        )
        break
      default:
        throw new Error(`unknown record ${kind}`)
    }
  }
  return operations
}

/** Returns the path of the folder that contains a path; the empty text for the recorded folder itself. */
export function getFolder(path: string): string {
  const folder = dirname(path)
  return folder === '.' ? '' : folder
}
