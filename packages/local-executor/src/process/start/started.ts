import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { ProgramExit } from '@toolblocks/protocol'
import type { Environment } from '../environment.ts'

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
export function exitOf(node: Pick<ChildProcess, 'once'>): Promise<ProgramExit> {
  return new Promise((resolve) => {
    node.once('exit', (code, signal) => resolve({ code: code ?? signal ?? 'without a code' }))
  })
}

/** The code of an error that the operating system gave. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'an unknown error'
}
