import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ServerTransport } from '../server-config.ts'
import type { Loss } from '../connection/connection.ts'
import { createLineReader, MAX_LINE_BYTES } from '../connection/line-reader.ts'
import type { Link } from '../connection/link.ts'
import { abandonProgram, endProgram } from './end-program.ts'
import { readMessages } from '../connection/read-message.ts'
import { createTail } from './tail.ts'
import { writeMessage } from '../connection/write-message.ts'

/** How long after a program's end its last output may take, where something it started holds the stream open. */
const LAST_WORDS_MS = 200

/**
 * A program whose standard streams carry messages, one a line. The SDK's own transport joins all that came again for every chunk,
 * loses the connection over one line of 10 MiB, and does not tell how a program ended.
 */
export function startProgram(
  program: Extract<ServerTransport, { kind: 'stdio' }>,
  onStrayLine: (line: string) => void,
): Link {
  const { command, args = [], env, cwd } = program
  const errors = createTail()
  let child: ChildProcessWithoutNullStreams | undefined
  let reason = 'the program was not started'
  let hasEnded = false

  function end(because: string): void {
    if (hasEnded) return
    hasEnded = true
    reason = because
    transport.onclose?.()
  }

  function readLine(line: string): void {
    if (hasEnded || line.trim() === '') return
    const messages = readLineAsMessages(line)
    if (messages.length === 0) onStrayLine(line)
    for (const message of messages) transport.onmessage?.(writeMessage(message))
  }

  const transport: Transport = {
    start: async () =>
      await new Promise<void>((resolve, reject) => {
        // A group of its own: what a wrapper such as npx has started ends with it.
        child = spawn(command, args, {
          env: { ...getDefaultEnvironment(), ...env },
          cwd,
          detached: process.platform !== 'win32',
          windowsHide: true,
        })
        const started = child
        const read = createLineReader(readLine)
        started.once('spawn', resolve)
        started.once('error', (error) => {
          end(explainSpawn(error, command))
          reject(error)
        })
        started.stdin.on('error', () => undefined) // said by the end of the program
        started.stderr.on('data', errors.add)
        started.stdout.on('data', (chunk: Buffer) => {
          if (hasEnded || read(chunk)) return
          end(`it sent a line of more than ${MAX_LINE_BYTES} bytes`)
          void endProgram(started)
        })
        started.once('exit', (code, signal) => {
          const because = `the program ended ${signal === null ? `with code ${code}` : `by ${signal}`}`
          setTimeout(() => end(because), LAST_WORDS_MS).unref()
          started.once('close', () => end(because))
        })
      }),
    send: async (message) => {
      const input = child?.stdin
      if (hasEnded || !input?.writable) throw new Error(`not connected: ${reason}`)
      // Waits for the drain of a full pipe, or for the end of the program.
      await new Promise<void>((resolve) =>
        input.write(`${JSON.stringify(message)}\n`, () => resolve()),
      )
    },
    close: async () => {
      end('the connection was closed')
      if (child) await endProgram(child)
    },
  }
  return {
    transport,
    explainEnd: (): Loss => ({
      kind: 'lost',
      reason,
      maybeExecuted: true,
      transient: true,
      ...(hasEnded && errors.text() !== '' && { said: errors.text() }),
    }),
    take: () => undefined,
    tokenOf: () => undefined,
    leave: async () => undefined,
    abandon: async () => {
      end('the connection was given up')
      if (child) await abandonProgram(child)
    },
  }
}

function readLineAsMessages(line: string): ReturnType<typeof readMessages> {
  try {
    return readMessages(JSON.parse(line))
  } catch {
    return []
  }
}

function explainSpawn(error: NodeJS.ErrnoException, command: string): string {
  if (error.code === 'ENOENT')
    return `there is no program "${command}" (or its working folder is missing)`
  return error.code === 'EACCES' ? `"${command}" may not be executed` : error.message
}
