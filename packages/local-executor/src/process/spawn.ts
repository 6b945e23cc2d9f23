import type { ProgramExit } from '@toolblocks/protocol'
import { type ChildProcess, type IOType, spawn } from 'node:child_process'
import { openSync, readFileSync, readdirSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Environment } from './environment.ts'

// The only file that starts processes on POSIX systems; an architecture test checks this. Windows has its own file.

/** Where a program runs. */
interface Place {
  readonly cwd: string
  readonly env: Environment
}

/** The entries of `stdio` after the first three. */
type StandardFiles = readonly (IOType | number)[]

/** Starts a program in its own process group, without the files that this process inherited from its parent. */
export function spawnDetached(
  program: string,
  args: readonly string[],
  { cwd, env, stdio }: Place & { readonly stdio: StandardFiles },
): ChildProcess {
  const files = [...stdio, ...coverInheritedFiles()]
  return spawn(program, args, { cwd, env, stdio: files, detached: true })
}

/**
 * Starts a program at this process's own terminal and in its process group. In another group it would be stopped as soon as it reads from the
 * terminal, and Ctrl-C would not reach it.
 */
export function spawnAtTerminal(
  program: string,
  args: readonly string[],
  { cwd, env }: Place,
): ChildProcess {
  const files: StandardFiles = ['inherit', 'inherit', 'inherit', ...coverInheritedFiles()]
  return spawn(program, args, { cwd, env, stdio: [...files] })
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
  const child = spawnDetached('/bin/sh', ['-c', script, 'sh', ...args], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', stdout, 'ignore'],
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  return child
}

/** Lets this process end although the child and its stdin are open. */
export function letRun(child: ChildProcess): void {
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
}

/** A started program, or the error code of the operating system. */
export type Started<T> = { ok: true; child: T } | { ok: false; code: string }

/** A program that was started with pipes. */
export interface SystemChild {
  readonly node: Pick<ChildProcess, 'once' | 'unref'>
  readonly pid: number
  /** Absent if the program received all of its input at the start. */
  readonly stdin?: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  terminate(): void
}

/** A program that was started without pipes to this process. */
export interface UnpipedChild {
  readonly node: Pick<ChildProcess, 'once' | 'unref' | 'kill'>
  readonly pid: number
}

/** Settles when a program has ended. */
export function readExit(node: Pick<ChildProcess, 'once'>): Promise<ProgramExit> {
  return new Promise((resolve) => {
    node.once('exit', (code, signal) => resolve({ code: code ?? signal ?? 'without a code' }))
  })
}

/** Returns the code of an error of the operating system. */
export function getCode(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'an unknown error'
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
