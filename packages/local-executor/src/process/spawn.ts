import type { ProgramExit } from '@toolblocks/protocol'
import { type ChildProcess, type IOType, spawn } from 'node:child_process'
import { openSync, readFileSync, readdirSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Environment } from './environment.ts'

// The one file that starts processes on POSIX systems: an architecture test holds that. Windows has its own beside it.

/** Where a program runs. */
interface Place {
  readonly cwd: string
  readonly env: Environment
}

/** What stands behind a program's first three descriptors. */
type StandardFiles = readonly (IOType | number)[]

/** Starts a program in a process group of its own, without the files that this process got from its parent. */
export function spawnDetached(
  program: string,
  args: readonly string[],
  { cwd, env, stdio }: Place & { readonly stdio: StandardFiles },
): ChildProcess {
  const files = [...stdio, ...coverInheritedFiles()]
  return spawn(program, args, { cwd, env, stdio: files, detached: true })
}

/**
 * Starts a program at this process's own terminal, and in its process group: one in another group would be stopped as soon as it
 * reads what is typed, and Ctrl-C would not reach it.
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
 * Starts a POSIX shell script with arguments. It may outlive this process: its stdin ends when we do. What the shell cannot
 * start is an `exit` too late to be heard: listen at once.
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

/** Neither a child nor its stdin keeps this process running from now on. */
export function letRun(child: ChildProcess): void {
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
}

/** A program that was started, or the operating system's code for why not. */
export type Started<T> = { ok: true; child: T } | { ok: false; code: string }

/** What a system gives of a program that it has started. */
export interface SystemChild {
  readonly node: Pick<ChildProcess, 'once' | 'unref'>
  readonly pid: number
  /** Absent where the program got all of its input at the start. */
  readonly stdin?: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  terminate(): void
}

/** What a system gives of a program that has no pipes to this process. */
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

/** The code of an error that the operating system gave. */
export function getCode(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'an unknown error'
}

/** Linux's O_CLOEXEC: a file that a new program does not get. */
const CLOSE_ON_EXEC = 0o2000000

/** A greater number would make the list of files that every start needs too long. */
const MAX_FILES = 4096

let covered: readonly ('ignore' | number)[] | undefined

/**
 * The entries of a program's `stdio` behind the first three: the null device in place of each file that this process got
 * from its own parent open for everybody. Node.js hides only the first of those. Looked up once; other systems than Linux
 * hide all of them.
 */
function coverInheritedFiles(): readonly ('ignore' | number)[] {
  covered ??= coverFiles(inheritedFiles())
  return covered
}

/** The null device in place of each of these descriptors, and what Node.js hides by itself between them. */
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

/** The descriptors that a new program would get, beside its first three; of each `readFileInfo` gives what /proc says. */
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

/** Empty where the file was closed meanwhile. */
function readInfo(file: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${file}`, 'latin1')
  } catch {
    return ''
  }
}
