import { randomUUID } from 'node:crypto'
import { closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { spawnScript } from './spawn.ts'

/** Standard streams that a program can also open by name, as `/dev/stdin`, `/dev/stdout` and `/dev/stderr`. */
interface StandardStreams {
  /** The program's ends. */
  readonly descriptors: readonly [stdin: number, stdout: number, stderr: number]
  readonly stdout: Readable
  readonly stderr: Readable
  /** Closes this process's copies of the program's ends, once the program has them or could not be started. */
  handOver(): void
}

/**
 * Opens the streams of a program whose complete standard input is this text. The input is a file, because the writer of a FIFO would have closed
 * before a script opens it. Returns `undefined` if that is not possible; sockets are used then.
 */
export async function openStandardStreams(text: string): Promise<StandardStreams | undefined> {
  const streams = await takeStreams()
  if (!streams) return undefined
  const { input, output, error } = streams
  const descriptors = [input, output.writeEnd, error.writeEnd] as const
  const stdout = readFrom(output.readEnd)
  const stderr = readFrom(error.readEnd)
  const handOver = (): void => descriptors.forEach((file) => closeSync(file))
  try {
    writeAll(input, Buffer.from(text))
    return { descriptors, stdout, stderr, handOver }
  } catch {
    // The temporary folder is full.
    handOver()
    stdout.destroy()
    stderr.destroy()
    return undefined
  }
}

/** Writes from the beginning of a file, and keeps the position at the beginning for a reader. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let position = 0; position < bytes.length;)
    position += writeSync(file, bytes, position, bytes.length - position, position)
}

function readFrom(fd: number): Readable {
  return new Socket({ fd, readable: true, writable: false })
}

/** Returns a path in the temporary folder at which nothing is. */
export function chooseTemporaryPath(): string {
  return join(tmpdir(), `toolblocks-${randomUUID()}`)
}

/** Creates an empty file that only this user can read, open for `writeAt`. */
export function createFile(path: string): number {
  return openSync(path, 'wx', 0o600)
}

export function writeAt(file: number, position: number, text: string): void {
  writeSync(file, text, position)
}

export function closeFile(file: number): void {
  closeSync(file)
}

/** The files of one program's standard streams. None has a name in the file system. */
interface NamedStreams {
  /** An empty file that only this user can read, open for reading and writing. */
  readonly input: number
  readonly output: Fifo
  readonly error: Fifo
}

/** Both ends of a pipe that a program can open as `/dev/stdout`, which is not possible with a socket. */
interface Fifo {
  /** For this process; non-blocking. */
  readonly readEnd: number
  /** For the program. */
  readonly writeEnd: number
}

/** How many streams are created at a time, and at which remaining number the next ones are created. */
interface Supply {
  readonly size: number
  readonly low: number
}

/** A process that makes one call, such as a command, should not wait for more. */
const AT_FIRST: Supply = { size: 2, low: 1 }

/** Node.js cannot create a FIFO, and a process for each would double the cost of a call. */
const LATER: Supply = { size: 16, low: 4 }

/**
 * Creates the files in their own folder, and removes it when they are open or this process has ended: the script's stdin ends with it. Only SIGKILL
 * can end the script earlier.
 */
const SCRIPT = `
trap '' HUP INT TERM PIPE
umask 077
folder=$1
shift
if mkdir -- "$folder" && cd -- "$folder" && mkfifo -- "$@"; then
  for name; do case $name in out-*) : > "in-\${name#out-}" ;; esac; done
  echo made
  read -r nothing
fi
rm -rf -- "$folder"
`

const ready: NamedStreams[] = []

let supply = AT_FIRST

let making: Promise<boolean> | undefined

/** macOS opens `/dev/fd` differently, and Windows has neither. Other runtimes than Node.js lose bytes of such streams, or open none. */
let isPossible =
  process.platform === 'linux' && !('bun' in process.versions) && !('deno' in process.versions)

/** Takes streams, which the caller must close; `undefined` if there are none. */
async function takeStreams(): Promise<NamedStreams | undefined> {
  while (ready.length === 0) {
    // Without free descriptors this call uses sockets; the next one may try again.
    if (!isPossible || !(await refill())) return undefined
  }
  const taken = ready.pop()
  if (isPossible && ready.length < supply.low) {
    supply = LATER
    void refill()
  }
  return taken
}

/** Resolves with whether any streams were created; waiting calls share the promise. */
function refill(): Promise<boolean> {
  making ??= makeStreams().finally(() => {
    making = undefined
  })
  return making
}

async function makeStreams(): Promise<boolean> {
  const folder = chooseTemporaryPath()
  const { size } = supply
  const names = Array.from({ length: size }, (_, index) => [
    `out-${index}`,
    `error-${index}`,
  ]).flat()
  const { stdin, stdout } = spawnScript(SCRIPT, [folder, ...names], 'pipe')
  const areMade = new Promise<boolean>((resolve) => {
    if (!stdin || !stdout) return resolve(false)
    stdout.once('data', () => resolve(true)).once('close', () => resolve(false))
  })
  isPossible = isMainThread() && (await areMade)
  const count = isPossible ? openAll(folder, size) : 0
  stdin?.end()
  return count > 0
}

/**
 * Whether this is the main thread. A worker thread closes at its end the descriptors that it opened as files, even if a socket has closed one since
 * and another file has its number by now. Loaded while the script runs, because the module takes as long to load.
 */
function isMainThread(): boolean {
  return process.getBuiltinModule('node:worker_threads').isMainThread
}

/** Returns how many could be opened: the number of descriptors of a process is limited. */
function openAll(folder: string, size: number): number {
  const before = ready.length
  for (let index = 0; index < size; index++) {
    const opened: number[] = []
    try {
      ready.push(openStreams(folder, index, opened))
    } catch {
      for (const file of opened) closeSync(file)
      break
    }
  }
  return ready.length - before
}

/** Reports what it has opened, in case it fails before its end. */
function openStreams(folder: string, index: number, opened: number[]): NamedStreams {
  function open(name: string, flags: number): number {
    const file = openSync(join(folder, name), flags)
    opened.push(file)
    return file
  }
  /** Opening for writing returns at once only if there is a reader, and for reading only without blocking. */
  function openFifo(name: string): Fifo {
    const readEnd = open(name, constants.O_RDONLY | constants.O_NONBLOCK)
    return { readEnd, writeEnd: open(name, constants.O_WRONLY) }
  }
  const input = open(`in-${index}`, constants.O_RDWR)
  // Before it contains a byte: the script may be too late for that.
  unlinkSync(join(folder, `in-${index}`))
  return { input, output: openFifo(`out-${index}`), error: openFifo(`error-${index}`) }
}
