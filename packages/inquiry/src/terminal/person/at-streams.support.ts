/** A person at streams of this process: faster than one at a pseudo-terminal, but without its signals. */
import { PassThrough, Writable } from 'node:stream'
import { onTestFinished, vi } from 'vitest'
import type { AnswerQuestion } from '@toolblocks/protocol'
import type { PutQuestion } from './keys.support.ts'
import { putQuestions, type RecordedAnswer } from './put-questions.support.ts'
import { MIN_READING_MS } from '../read-keys.ts'
import { createScreen } from './screen.support.ts'

export interface NearPerson {
  /** Waits until the screen shows exactly this, without the blank rows at its end. */
  sees: (what: string | RegExp) => Promise<string>
  /** The look of the first character of this text, where it is shown last. */
  look: (what: string) => string
  types: (...texts: readonly (string | Buffer)[]) => void
  resizes: (columns: number, rows: number) => void
  /** Aborts the question. */
  aborts: () => void
  /** Ends the input. */
  goes: (how: 'ends' | 'closes' | 'breaks') => void
  /** How often the asker was told of Ctrl-C. */
  interrupts: () => number
  /** Waits for the last answer: all answers, and everything that was written. */
  leaves: () => Promise<{ answers: RecordedAnswer[]; written: string; screen: string }>
}

const now = performance.now.bind(performance)

/** Milliseconds that people have spent reading, without waiting. */
let clock = 0

/** Seats a person before these questions, at 80 by 24 and with colours. */
export function seatNear(
  questions: readonly PutQuestion[],
  {
    forms = 'ask',
    editor,
    keyboard = true,
    size: [columns, rows] = [80, 24],
    reads = 'first',
  }: {
    forms?: 'ask' | 'edit'
    editor?: AnswerQuestion
    keyboard?: boolean
    /** The columns and rows that the terminal reports. */
    size?: readonly [number, number]
    /** `not`: types in the moment in which a question appears. The time stands still. */
    reads?: 'first' | 'not'
  } = {},
): NearPerson {
  vi.stubEnv('FORCE_COLOR', '3')
  const timing = vi
    .spyOn(performance, 'now')
    .mockImplementation(() => (reads === 'first' ? now() + clock : clock))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    timing.mockRestore()
  })
  const screen = createScreen('LF')
  const input = Object.assign(new PassThrough(), {
    isTTY: keyboard,
    isRaw: false,
    setRawMode: (raw: boolean) => Object.assign(input, { isRaw: raw }),
  })
  const output = Object.assign(
    new Writable({
      write: (data: Buffer, _encoding, done) => {
        screen.write(data.toString('utf8'))
        done()
      },
    }),
    { isTTY: true, columns, rows },
  )
  const stop = new AbortController()
  let interrupts = 0
  const asked = putQuestions(questions, {
    input,
    output,
    signal: stop.signal,
    forms,
    onInterrupt: () => void (interrupts += 1),
    ...(editor && { editor }),
  }).finally(() => void screen.ends())
  asked.catch(() => undefined)

  return {
    sees: async (what) => (await screen.sees(what)).trimEnd(),
    look: screen.look,
    types: (...texts) => {
      if (reads === 'first') clock += MIN_READING_MS
      for (const text of texts) input.write(text)
    },
    resizes: (wide, high) => {
      screen.resizes(wide, high)
      Object.assign(output, { columns: wide, rows: high })
      output.emit('resize')
    },
    aborts: () => stop.abort(),
    goes: (how) => {
      if (how === 'ends') input.end()
      else input.destroy(how === 'breaks' ? new Error('it broke') : undefined)
    },
    interrupts: () => interrupts,
    leaves: async () => {
      const answers = await screen.until(asked)
      await screen.ends()
      return { answers, written: screen.written(), screen: screen.text().trimEnd() }
    },
  }
}
