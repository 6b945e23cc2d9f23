import type { Readable, Writable } from 'node:stream'
import type { ProgramExit } from '@toolblocks/protocol'
import { ON_WINDOWS } from '../platform.ts'
import { startOnPosix } from './start-on-posix.ts'
import { startOnWindows } from './start-on-windows.ts'
import { exitOf, type Start, type Started } from './started.ts'

/** A program that runs, in a process group of its own. */
export interface Child {
  /** Its number and its group's. */
  readonly pid: number
  readonly stdout: Readable
  readonly stderr: Readable
  /** Writes to its standard input, unless all of it was given at the start. Settles when the pipe has taken it, or nobody reads it any more. */
  write(text: string): Promise<void>
  endInput(): void
  readonly exited: Promise<ProgramExit>
  /** It has ended, and all of its output was read. */
  readonly closed: Promise<unknown>
  /** Asks the whole group to end; Windows gives it no choice. */
  terminate(): void
  /** Lets go of it, in whatever state. */
  release(): void
}

/** Starts a program, or gives the operating system's code for why not, such as `E2BIG`. */
export async function startChild(start: Start): Promise<Started<Child>> {
  const started = ON_WINDOWS ? await startOnWindows(start) : await startOnPosix(start)
  if (!started.ok) return started
  const { node, pid, stdin, stdout, stderr, terminate } = started.child
  const pipes = [...(stdin ? [stdin] : []), stdout, stderr]
  // A program may close its ends whenever it likes: EPIPE says nothing about its work.
  for (const pipe of pipes) pipe.on('error', () => {})
  if (start.input !== undefined) stdin?.end(start.input)
  const exited = exitOf(node)
  const child: Child = {
    pid,
    stdout,
    stderr,
    write: async (text) => await writeTo(stdin, text),
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

function writeTo(stdin: Writable | undefined, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (stdin) stdin.write(text, () => resolve())
    else resolve()
  })
}

function ended(stream: Readable): Promise<unknown> {
  return new Promise((resolve) => stream.once('end', resolve).once('close', resolve))
}
