import type { ProgramExit } from '@toolblocks/protocol'
import type { Readable, Writable } from 'node:stream'
import { sendSignal } from './end-processes.ts'
import { ON_WINDOWS } from './environment.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { readExit, spawnProgram } from './spawn.ts'
import { openStandardStreams } from './standard-streams.ts'

/** A running program in its own process group. */
export interface Child {
  /** Its process id, which is also the id of its group. */
  readonly pid: number
  readonly stdout: Readable
  readonly stderr: Readable
  /** Writes to its standard input, unless all of it was passed at the start. Settles when the pipe has taken the text or has no reader. */
  write(text: string): Promise<void>
  endInput(): void
  readonly exited: Promise<ProgramExit>
  /** Settles when it has ended and all of its output was read. */
  readonly closed: Promise<unknown>
  /** Sends SIGTERM to the group; on Windows the processes are ended at once. */
  terminate(): void
  /** Stops tracking it, in any state. */
  release(): void
}

/** A started program, or the error code of the operating system. */
type StartedChild = { ok: true; child: Child } | { ok: false; code: string }

/** Starts a program, or returns the error code of the operating system, such as `E2BIG`. */
export async function startChild({
  program,
  args,
  cwd,
  env,
  input,
}: LaunchPlan): Promise<StartedChild> {
  const streams = input === undefined ? undefined : await openStandardStreams(input)
  const started = await spawnProgram(program, args, {
    cwd,
    env,
    streams: streams?.descriptors ?? 'pipe',
  })
  streams?.handOver()
  if (!started.ok) {
    streams?.stdout.destroy()
    streams?.stderr.destroy()
    return started
  }
  const { node, pid } = started
  const { stdin } = node
  const stdout = streams?.stdout ?? node.stdout
  const stderr = streams?.stderr ?? node.stderr
  if (!stdout || !stderr) throw new Error('started without pipes')
  const pipes = [...(stdin ? [stdin] : []), stdout, stderr]
  // A program may close its ends at any time: EPIPE is not a failure.
  for (const pipe of pipes) pipe.on('error', () => {})
  if (input !== undefined) stdin?.end(input)
  const exited = readExit(node)
  const child: Child = {
    pid,
    stdout,
    stderr,
    write: async (text) => await writeTo(stdin ?? undefined, text),
    endInput: () => void stdin?.end(),
    exited,
    closed: Promise.all([exited, ended(stdout), ended(stderr)]),
    // On Windows, execa ends all processes that it started.
    terminate: () => void (ON_WINDOWS ? started.kill('SIGTERM') : sendSignal(-pid, 'SIGTERM')),
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

/** Explains why the operating system refused to start a file that exists and is executable. */
export function explainSpawnError(code: string, program: string, start: string): string {
  const interpreter = /^#!\s*(\S+)/.exec(start)?.[1]
  switch (code) {
    case 'ENOENT':
      if (/^#!.*\r(?:\n|$)/.test(start))
        return `${program} could not be started: its lines end with CR LF, as on Windows, so its first line names an interpreter "${interpreter}\\r" that does not exist. Save it with LF only, for example with sed -i 's/\\r$//' ${program}`
      return interpreter === undefined
        ? `${program} could not be started: a file it needs, such as its loader, does not exist (ENOENT).`
        : `${program} could not be started: its first line names the interpreter ${interpreter}, which does not exist. Install it or correct the line.`
    case 'E2BIG':
      return `${program} could not be started: its arguments and environment are too large (E2BIG). Let it read the JSON document on stdin.`
    case 'EACCES':
      return `${program} could not be started: permission denied (EACCES), for the file, its interpreter${interpreter === undefined ? '' : ` ${interpreter}`} or its folder.`
    default:
      return `${program} could not be started: the operating system answered ${code}.`
  }
}
