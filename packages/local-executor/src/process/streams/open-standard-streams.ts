import { closeSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { takeStreams } from './stream-pool.ts'

/** Standard streams that a program can also open by name, as `/dev/stdin`, `/dev/stdout` and `/dev/stderr`. */
export interface StandardStreams {
  /** The program's ends. */
  readonly descriptors: readonly [stdin: number, stdout: number, stderr: number]
  readonly stdout: Readable
  readonly stderr: Readable
  /** Closes this process's copies of the program's ends, once the program has them or could not be started. */
  handOver(): void
}

/**
 * Opens the streams of a program that gets this text, all of it, on standard input: a file, because the writer of a FIFO would
 * be gone before a script opens it. `undefined` where that cannot be: sockets do then.
 */
export async function openStandardStreams(text: string): Promise<StandardStreams | undefined> {
  const streams = await takeStreams()
  if (!streams) return undefined
  const { input, output, error } = streams
  const descriptors = [input, output.writeEnd, error.writeEnd] as const
  const stdout = readFrom(output.readEnd)
  const stderr = readFrom(error.readEnd)
  const handOver = (): void => descriptors.forEach((file) => closeSync(file))
  try {
    writeAll(input, Buffer.from(text))
    return { descriptors, stdout, stderr, handOver }
  } catch {
    // No room in the temporary folder.
    handOver()
    stdout.destroy()
    stderr.destroy()
    return undefined
  }
}

/** Writes from the beginning of a file, and leaves it to be read from there. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at)
}

function readFrom(fd: number): Readable {
  return new Socket({ fd, readable: true, writable: false })
}
