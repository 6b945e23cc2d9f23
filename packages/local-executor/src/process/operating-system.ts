import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { Environment } from './environment.ts'
import type { PathKind } from './find-program.ts'
import { coverInheritedFiles } from './inherited-files.ts'
import { findMarked, hasLivingMember, isStill } from './process-table.ts'
import { openStandardStreams } from './streams/open-standard-streams.ts'

/** Windows has neither process groups nor a POSIX shell. */
export const ON_WINDOWS = process.platform === 'win32'
const ON_LINUX = process.platform === 'linux'

/** The variables of this process, as they are now. */
export function hostEnvironment(): Environment {
  return process.env
}

/** A program to start. */
export interface Start {
  /** Absolute. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Environment
  /** All that it gets on standard input, where that is known already; it can then open its standard streams by name. */
  readonly input?: string
}

/** How a program ended. */
export interface ExitStatus {
  /** The exit code, or the name of the signal that ended it. */
  readonly code: number | string
}

/** A program that runs, in a process group of its own. */
export interface Child {
  /** Its number and its group's. */
  readonly pid: number
  readonly stdout: Readable
  readonly stderr: Readable
  /** Writes to its standard input, unless all of it was given at the start. */
  send(text: string): void
  endInput(): void
  readonly exited: Promise<ExitStatus>
  /** It has ended, and all of its output was read. */
  readonly closed: Promise<unknown>
  /** Asks the whole group to end; Windows gives it no choice. */
  terminate(): void
  /** Lets go of it, in whatever state. */
  release(): void
}

type Started<T> = { ok: true; child: T } | { ok: false; code: string }

/** Starts a program, or gives the operating system's code for why not, such as `E2BIG`. */
export async function startProgram(start: Start): Promise<Started<Child>> {
  const started = ON_WINDOWS ? await startOnWindows(start) : await startOnPosix(start)
  if (!started.ok) return started
  const { node, pid, stdin, stdout, stderr, terminate } = started.child
  const pipes = [...(stdin ? [stdin] : []), stdout, stderr]
  // A program may close its ends whenever it likes: EPIPE says nothing about its work.
  for (const pipe of pipes) pipe.on('error', () => {})
  if (start.input !== undefined) stdin?.end(start.input)
  const exited = new Promise<ExitStatus>((resolve) => {
    node.once('exit', (code, signal) => resolve({ code: code ?? signal ?? 'without a code' }))
  })
  const child: Child = {
    pid,
    stdout,
    stderr,
    send: (text) => void stdin?.write(text),
    endInput: () => void stdin?.end(),
    exited,
    closed: Promise.all([exited, ended(stdout), ended(stderr)]),
    terminate,
    release() {
      for (const pipe of pipes) pipe.destroy()
      node.unref()
    },
  }
  return { ok: true, child }
}

type StartedNode = Started<{
  readonly node: Pick<ChildProcess, 'once' | 'unref'>
  readonly pid: number
  /** Absent where the program got all of its input at the start. */
  readonly stdin?: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  terminate(): void
}>

/** Without execa, whose work before and after a process takes half a millisecond of every call. */
async function startOnPosix({ program, args, cwd, env, input }: Start): Promise<StartedNode> {
  const streams = input === undefined ? undefined : await openStandardStreams(input)
  try {
    const standard = streams?.descriptors ?? (['pipe', 'pipe', 'pipe'] as const)
    const stdio: StdioOptions = [...standard, ...coverInheritedFiles()]
    const node = spawn(program, args, { cwd, env, stdio, detached: true })
    const { pid, stdin } = node
    if (pid === undefined) throw (await once(node, 'error'))[0]
    node.on('error', () => {})
    const stdout = streams?.stdout ?? node.stdout
    const stderr = streams?.stderr ?? node.stderr
    if (!stdout || !stderr) throw new Error('started without pipes')
    const terminate = (): void => void sendSignal(-pid, 'SIGTERM')
    return { ok: true, child: { node, pid, ...(stdin && { stdin }), stdout, stderr, terminate } }
  } catch (error) {
    streams?.stdout.destroy()
    streams?.stderr.destroy()
    return { ok: false, code: codeOf(error) }
  } finally {
    streams?.handOver()
  }
}

/** With execa, which finds the interpreters of scripts, escapes for `cmd.exe`, and ends trees of processes. */
async function startOnWindows({ program, args, cwd, env }: Start): Promise<StartedNode> {
  const { execa } = await import('execa')
  const started = execa(program, args, {
    cwd,
    env,
    extendEnv: false,
    stdio: ['pipe', 'pipe', 'pipe'],
    encoding: 'buffer',
    buffer: false,
    reject: false,
    killDescendants: true,
    forceKillAfterDelay: false,
  })
  const { nodeChildProcess: node, pid, stdin, stdout, stderr } = started
  if (pid === undefined) return { ok: false, code: codeOf(await started) }
  const terminate = (): void => void started.kill('SIGTERM')
  return { ok: true, child: { node, pid, stdin, stdout, stderr, terminate } }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'an unknown error'
}

function ended(stream: Readable): Promise<unknown> {
  return new Promise((resolve) => stream.once('end', resolve).once('close', resolve))
}

/** Runs a POSIX shell script, with one argument, that outlives this process: its stdin ends when we do. */
export function startScript(script: string, argument: string, onceEnded: () => void): void {
  const child = spawn('/bin/sh', ['-c', script, 'sh', argument], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore', ...coverInheritedFiles()],
    detached: true,
  })
  child.on('error', () => {})
  if (child.pid === undefined || !child.stdin) throw new Error('/bin/sh could not be started')
  child.stdin.on('error', () => {})
  child.once('exit', onceEnded)
  // Neither the script nor its pipe may keep this process running.
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
}

/** Sends a signal; a negative number is a group. False: nobody is there, always so for groups on Windows. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Whether a group has a member that runs. Its dead ones stay until somebody reaps them; only Linux tells them apart. */
export function isGroupAlive(group: number): boolean {
  return sendSignal(-group, 0) && (!ON_LINUX || hasLivingMember(group))
}

/** Kills every process that has `mark` in its environment. Only Linux lets us look. */
export function killMarked(mark: string): void {
  for (const found of findMarked(mark)) if (isStill(found)) sendSignal(found.pid, 'SIGKILL')
}

/** The first bytes of a file as Latin-1; empty where it cannot be read. */
export function readStart(path: string): string {
  try {
    const file = openSync(path, 'r')
    const bytes = Buffer.alloc(256)
    const count = readSync(file, bytes)
    closeSync(file)
    return bytes.toString('latin1', 0, count)
  } catch {
    return ''
  }
}

/** What stands at a path. */
export function kindOf(path: string): PathKind {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return 'missing'
    if (stat.isDirectory()) return 'directory'
    accessSync(path, constants.X_OK)
    return 'program'
  } catch {
    return 'not-executable'
  }
}
