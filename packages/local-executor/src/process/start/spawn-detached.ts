import { type ChildProcess, type IOType, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Environment } from '../environment.ts'
import { coverInheritedFiles } from './inherited-files.ts'

/** Where a program runs, and what stands behind its first three descriptors. */
interface Detached {
  readonly cwd: string
  readonly env: Environment
  readonly stdio: readonly (IOType | number)[]
}

/** Starts a program in a process group of its own, without the files that this process got from its parent. */
export function spawnDetached(
  program: string,
  args: readonly string[],
  { cwd, env, stdio }: Detached,
): ChildProcess {
  const files = [...stdio, ...coverInheritedFiles()]
  return spawn(program, args, { cwd, env, stdio: files, detached: true })
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
