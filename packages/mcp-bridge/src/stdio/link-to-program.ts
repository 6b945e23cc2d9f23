import {
  MAX_MESSAGE_BYTES,
  type ProgramExit,
  type ProgramStart,
  type StartedProgram,
  type StartProgram,
} from '@toolblocks/protocol'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ServerTransport } from '../server-config.ts'
import type { Loss } from '../connection/connection.ts'
import { createLineReader } from '../connection/line-reader.ts'
import type { Link } from '../connection/link.ts'
import { abandonProgram, endProgram, killRest } from './end-program.ts'
import { isTooDense, readMessages, TOO_DENSE } from '../connection/read-message.ts'
import { createTail } from './tail.ts'
import { writeMessage } from '../connection/write-message.ts'

/** How long after a program's end its last output may take, where something it started holds the stream open. */
const LAST_WORDS_MS = 200

/**
 * A program whose standard streams carry messages, one a line. The SDK's own transport joins all that came again for every chunk,
 * loses the connection over one line of 10 MiB, and does not tell how a program ended.
 */
export function linkToProgram(
  {
    command,
    args = [],
    env = {},
    cwd = process.cwd(),
  }: Extract<ServerTransport, { kind: 'stdio' }>,
  {
    startProgram,
    onStrayLine,
  }: { startProgram: StartProgram; onStrayLine: (line: string) => void },
): Link {
  const errors = createTail()
  let starting: Promise<StartedProgram | undefined> | undefined
  let program: StartedProgram | undefined
  let ending: Promise<void> | undefined
  let reason = 'the program was not started'
  let hasEnded = false

  function end(because: string): void {
    if (hasEnded) return
    hasEnded = true
    reason = because
    transport.onclose?.()
  }

  async function start(): Promise<StartedProgram | undefined> {
    const plan = { program: command, args, cwd, env, inherits: 'usual', streams: 'pipes' } as const
    const started = await startProgram(plan).catch(notStarted)
    if (started.ok) {
      listenTo(started.program)
      return started.program
    }
    end(withoutPeriod(started.message))
    return undefined
  }

  function listenTo(started: StartedProgram): void {
    const read = createLineReader(readLine)
    started.onStderr(errors.add)
    started.onStdout((chunk) => {
      if (hasEnded || read(chunk)) return
      end(`it sent a line of more than ${MAX_MESSAGE_BYTES} bytes`)
      void endOnce(endProgram)
    })
    void started.exited.then(async ({ code }) => {
      const late = new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref())
      await Promise.race([started.closed, late])
      end(explainExit(code))
      await endOnce(killRest)
    })
  }

  function readLine(line: string): void {
    if (hasEnded || line.trim() === '') return
    if (isTooDense(line)) {
      end(`it sent a message that ${TOO_DENSE}`)
      void endOnce(endProgram)
      return
    }
    const messages = readLineAsMessages(line)
    if (messages.length === 0) onStrayLine(line)
    for (const message of messages) transport.onmessage?.(writeMessage(message))
  }

  /** Ends the program in the first way that is asked for; also one that is still being started. */
  async function endOnce(how: (started: StartedProgram) => Promise<void>): Promise<void> {
    ending ??= (async () => {
      const started = await starting
      if (started) await how(started)
    })()
    await ending
  }

  const transport: Transport = {
    start: async () => {
      starting = start()
      program = await starting
      if (!program) throw new Error(reason)
    },
    send: async (message) => {
      if (hasEnded || !program) throw new Error(`not connected: ${reason}`)
      await program.write(`${JSON.stringify(message)}\n`)
    },
    close: async () => {
      end('the connection was closed')
      await endOnce(endProgram)
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
    said: errors.text,
    take: () => undefined,
    tokenOf: () => undefined,
    leave: async () => undefined,
    abandon: async () => {
      end('the connection was given up')
      // The SDK closes it first, which would give it time: it has said nothing, and needs none.
      const started = await starting
      if (started) await abandonProgram(started)
      await ending
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

/** The machine cannot start anything, for example because a library is missing. */
function notStarted(error: unknown): ProgramStart {
  return { ok: false, message: error instanceof Error ? error.message : String(error) }
}

function explainExit(code: ProgramExit['code']): string {
  return `the program ended ${typeof code === 'number' ? `with code ${code}` : `by ${code}`}`
}

/** What goes on behind a reason has a sentence of its own. */
function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
