import { type ChildProcess, type IOType, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Environment } from '../environment.ts'
import { coverInheritedFiles } from './inherited-files.ts'

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
