import type { ProgramExit } from '@toolblocks/protocol'
import { execa } from 'execa'
import type { ChildProcess } from 'node:child_process'
import { openSync, readFileSync, readdirSync } from 'node:fs'
import { Socket } from 'node:net'
import { type Environment, ON_WINDOWS } from './environment.ts'

// The only file that starts processes; an architecture test checks this. execa finds the interpreters of scripts on Windows, escapes for `cmd.exe`,
// and ends trees of processes there. POSIX systems have process groups for that.

type Stream = 'pipe' | 'ignore' | number

/** Three pipes, no streams, this process's own terminal, or what each standard stream of the program is. */
type ChildStreams = 'pipe' | 'ignore' | 'inherit' | readonly [Stream, Stream, Stream]

/** What the types of execa accept. It takes each descriptor, and they contain only these. */
type StreamSource = 'pipe' | 'ignore' | 'inherit' | 3 | 4 | 5 | 6 | 7 | 8 | 9

/** Where a program runs, and with which streams. */
interface SpawnOptions {
  readonly cwd: string
  readonly env: Environment
  readonly streams: ChildStreams
}

/** A program that was started, or the error code of the operating system or of Node.js, such as `E2BIG`. */
export type Spawned =
  | {
      readonly ok: true
      readonly node: ChildProcess
      readonly pid: number
      /** Sends a signal; on Windows to all processes that a program with pipes started. */
      kill(signal: 'SIGTERM'): void
    }
  | { readonly ok: false; readonly code: string }

/**
 * Starts a program, in its own process group, without the files that this process inherited from its parent. At this process's own terminal it stays
 * in the group of this process: in another one it would be stopped as soon as it reads from the terminal, and Ctrl-C would not reach it. Windows has
 * no groups: a program with pipes is ended with all processes that it started.
 */
export async function spawnProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<Spawned> {
  try {
    const started = startWithExeca(program, args, options)
    const { nodeChildProcess: node, pid } = started
    if (pid === undefined) return { ok: false, code: getCode(await started) }
    return { ok: true, node, pid, kill: (signal) => void started.kill(signal) }
  } catch (error) {
    return { ok: false, code: getCode(error) }
  }
}

function getCode(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'an unknown error'
}

function startWithExeca(
  program: string,
  args: readonly string[],
  { cwd, env, streams }: SpawnOptions,
) {
  const [stdin, stdout, stderr] =
    typeof streams === 'string' ? ([streams, streams, streams] as const) : streams
  return execa(program, args, {
    cwd,
    env,
    extendEnv: false,
    stdio: [
      toEntry(stdin),
      toEntry(stdout),
      toEntry(stderr),
      ...coverInheritedFiles().map(toEntry),
    ],
    encoding: 'buffer',
    buffer: false,
    reject: false,
    forceKillAfterDelay: false,
    detached: streams !== 'inherit' && !(ON_WINDOWS && streams === 'pipe'),
    cleanup: ON_WINDOWS && streams !== 'ignore',
    killDescendants: ON_WINDOWS && streams === 'pipe',
  })
}

function toEntry(entry: Stream | 'inherit'): StreamSource {
  if (isEntry(entry)) return entry
  throw new TypeError(`no descriptor: ${entry}`)
}

function isEntry(entry: Stream | 'inherit'): entry is StreamSource {
  return typeof entry === 'string' || Number.isInteger(entry)
}

/**
 * Starts a POSIX shell script with arguments. It may outlive this process: its stdin ends when this process ends. If the shell cannot be started,
 * `exit` is emitted soon, so listen at once.
 */
export function spawnScript(
  script: string,
  args: readonly string[],
  stdout: 'pipe' | 'ignore',
): ChildProcess {
  const { nodeChildProcess: child } = startWithExeca('/bin/sh', ['-c', script, 'sh', ...args], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    streams: ['pipe', stdout, 'ignore'],
  })
  return child
}

/** Lets this process end although the child and its stdin are open. */
export function letRun(child: ChildProcess): void {
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
}

/** Settles when a program has ended. */
export function readExit(node: ChildProcess): Promise<ProgramExit> {
  return new Promise((resolve) => {
    node.once('exit', (code, signal) => resolve({ code: code ?? signal ?? 'without a code' }))
  })
}

/** Linux's O_CLOEXEC: the file is closed in a new program. */
const CLOSE_ON_EXEC = 0o2000000

/** A larger number would make the `stdio` list of every start too long. */
const MAX_FILES = 4096

let covered: readonly ('ignore' | number)[] | undefined

/**
 * Returns the entries of a program's `stdio` after the first three: the null device for each file that this process inherited without
 * close-on-exec. Node.js closes only the first of those. Computed once; systems other than Linux close all of them.
 */
function coverInheritedFiles(): readonly ('ignore' | number)[] {
  covered ??= coverFiles(inheritedFiles())
  return covered
}

/** Returns the null device for each of these descriptors, and the entries between them, which Node.js closes itself. */
export function coverFiles(files: readonly number[]): readonly ('ignore' | number)[] {
  if (files.length === 0) return []
  const nothing = openSync('/dev/null', 'r+')
  const last = Math.max(...files)
  return Array.from({ length: last - 2 }, (_, index) =>
    files.includes(index + 3) ? nothing : 'ignore',
  )
}

function inheritedFiles(): readonly number[] {
  if (process.platform !== 'linux') return []
  try {
    return findInherited(readdirSync('/proc/self/fd').map(Number), readInfo)
  } catch {
    return []
  }
}

/** Finds the descriptors that a new program would inherit besides its first three; `readFileInfo` returns the text of /proc for one. */
export function findInherited(
  files: readonly number[],
  readFileInfo: (file: number) => string,
): readonly number[] {
  return files.filter((file) => file > 2 && file < MAX_FILES && isPassedOn(readFileInfo(file)))
}

function isPassedOn(info: string): boolean {
  const flags = /^flags:\t([0-7]+)$/m.exec(info)?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
}

/** Returns an empty text if the file was closed in the meantime. */
function readInfo(file: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${file}`, 'latin1')
  } catch {
    return ''
  }
}
