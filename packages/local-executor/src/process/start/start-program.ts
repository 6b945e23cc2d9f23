import type { Readable } from 'node:stream'
import { ON_WINDOWS } from '../platform.ts'
import { startOnPosix } from './start-on-posix.ts'
import { startOnWindows } from './start-on-windows.ts'
import type { Start, Started } from './started.ts'

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

function ended(stream: Readable): Promise<unknown> {
  return new Promise((resolve) => stream.once('end', resolve).once('close', resolve))
}
