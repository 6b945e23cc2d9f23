import {
  type ProgramExit,
  type ProgramStart,
  type StartedProgram,
  type StartProgram,
} from '@toolblocks/protocol'
import {
  parseJson,
  MAX_MESSAGE_BYTES,
  getErrorText,
  limitTime,
  settlesWithin,
} from '@toolblocks/protocol/internal'
import { maskMessage, maskText } from './known-secrets.ts'
import { createLineReader } from './line-reader.ts'
import { isTooDense, readMessages, TOO_DENSE } from './message.ts'
import type { Hearing, Wire } from './peer.ts'

/** The program of a server. */
export interface SpeakingProgram {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Milliseconds for the last output after a program's end, if a process that it started holds the stream open. */
const LAST_WORDS_MS = 200
/** Milliseconds without more output after which a message whose line has no end is reported. */
const UNFINISHED_MS = 500
const CLOSING_BRACE = 0x7d
/** How much of standard error is kept, in characters. */
const MAX_TAIL = 4 * 1024
/** Milliseconds for a server to end after its input ended, and again after SIGTERM. */
const GRACE_MS = 2000
/** Milliseconds after SIGTERM for a server that received no message: it has no work to finish. */
const SHORT_GRACE_MS = 300

/** A wire to a program. `serverText` returns its standard error so far, shortened. */
export type ProgramWire = Wire & { serverText(): string }

/**
 * Creates a wire to a program whose standard streams carry messages, one a line. The SDK's own transport joins all received data for every chunk,
 * loses the connection at a line of 10 MiB, and does not report how a program ended.
 */
export function wireToProgram(
  { command, args = [], env = {}, cwd = process.cwd() }: SpeakingProgram,
  {
    startProgram,
    onStrayLine,
  }: { startProgram: StartProgram; onStrayLine: (line: string) => void },
): ProgramWire {
  const errors = createTail()
  let hearing: Hearing | undefined
  let starting: Promise<StartedProgram | undefined> | undefined
  let program: StartedProgram | undefined
  let ending: Promise<void> | undefined
  let reason: string | undefined
  const read = createLineReader(readLine)
  let stopUnfinished: (() => void) | undefined

  function end(because: string): void {
    if (reason !== undefined) return
    reason = because
    const serverText = errors.text()
    hearing?.onEnd({
      kind: 'lost',
      reason,
      ...(serverText !== '' && { serverText }),
      maybeExecuted: true,
      transient: true,
    })
  }

  async function start(): Promise<StartedProgram | undefined> {
    const plan = { program: command, args, cwd, env, inherits: 'usual', streams: 'pipes' } as const
    const started = await startProgram(plan).catch(notStarted)
    if (started.ok) {
      program = started.program
      listenTo(program)
    } else end(withoutPeriod(started.message))
    return program
  }

  function listenTo(started: StartedProgram): void {
    started.onStderr(errors.add)
    started.onStdout((chunk) => {
      stopUnfinished?.()
      if (reason !== undefined) return
      if (read(chunk)) {
        if (chunk.at(-1) === CLOSING_BRACE)
          stopUnfinished = limitTime(UNFINISHED_MS, reportUnfinished, { ref: false })
        return
      }
      end(`it sent a line of more than ${MAX_MESSAGE_BYTES} bytes`)
      void endOnce(endProgram)
    })
    void started.exited.then(async ({ code }) => {
      await settlesWithin(LAST_WORDS_MS, started.closed)
      stopUnfinished?.()
      // Nothing follows, so the end is that of the last line.
      readLine(read.rest())
      end(`the program ended ${describeExit(code)}`)
      await endOnce(killRest)
    })
  }

  function readLine(line: string): void {
    if (reason !== undefined || line.trim() === '') return
    if (isTooDense(line)) {
      end(`it sent a message that ${TOO_DENSE}`)
      void endOnce(endProgram)
      return
    }
    const messages = readMessages(maskMessage(parseJson(line)))
    if (messages.length === 0) {
      const masked = maskText(line)
      onStrayLine(masked)
      hearing?.onStray(masked)
    }
    for (const message of messages) hearing?.onMessage(message)
  }

  function reportUnfinished(): void {
    if (reason === undefined) hearing?.onStray(maskText(read.rest()), { isUnfinished: true })
  }

  /** Ends the program in the way of the first call, even while it is being started. */
  async function endOnce(how: (started: StartedProgram) => Promise<void>): Promise<void> {
    ending ??= (async () => {
      const started = await starting
      if (started) await how(started)
    })()
    await ending
  }

  return {
    serverText: errors.text,
    unfinishedLine: () => maskText(read.rest()),
    start: (listener) => {
      hearing = listener
      starting = start()
    },
    send: async (message) => {
      const started = program ?? (await starting)
      if (!started || reason !== undefined)
        throw new Error(`not connected: ${reason ?? 'the program was not started'}`)
      await started.write(`${JSON.stringify(message)}\n`)
    },
    close: async ({ isAbandoned } = {}) => {
      end('the connection was closed')
      await endOnce(isAbandoned ? abandonProgram : endProgram)
    },
  }
}

/** The system cannot start programs, for example because a library is missing. */
function notStarted(error: unknown): ProgramStart {
  return { ok: false, message: getErrorText(error) }
}

function describeExit(code: ProgramExit['code']): string {
  return typeof code === 'number' ? `with code ${code}` : `by ${code}`
}

/** The reason is followed by another clause, so its period is removed. */
function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

/** Keeps the end of a stream of text. */
function createTail(): { add: (chunk: Uint8Array) => void; text: () => string } {
  const decoder = new TextDecoder()
  let tail = ''
  return {
    add: (chunk) => {
      tail = `${tail}${decoder.decode(chunk, { stream: true })}`.slice(-MAX_TAIL)
    },
    text: () => maskText(tail.trim()),
  }
}

/** Ends a program and the processes that it started: end of input, then SIGTERM, then SIGKILL. */
async function endProgram(program: StartedProgram): Promise<void> {
  program.endInput()
  if (!(await settlesWithin(GRACE_MS, program.exited))) {
    program.terminate()
    await settlesWithin(GRACE_MS, program.exited)
  }
  await killRest(program)
}

/** Ends a program that was not initialized, and the processes that it started: SIGTERM, then SIGKILL. */
async function abandonProgram(program: StartedProgram): Promise<void> {
  program.endInput()
  program.terminate()
  await settlesWithin(SHORT_GRACE_MS, program.exited)
  await killRest(program)
}

/** Kills the rest of a program's processes. */
async function killRest(program: StartedProgram): Promise<void> {
  await program.kill()
  await settlesWithin(GRACE_MS, program.exited)
  program.release()
}
