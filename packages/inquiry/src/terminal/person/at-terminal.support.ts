/** A person at a pseudo-terminal, who reads the screen and then types. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn, type IPty } from '@lydell/node-pty'
import type { PutQuestion } from './keys.support.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { MIN_READING_MS } from '../read-keys.ts'
import { createScreen } from './screen.support.ts'

/** A person's terminal has colours, which libraries disable if CI is set. */
const { CI: _ci, ...ENVIRONMENT } = process.env

export interface Person {
  /** Waits until the screen shows this, and as long as a person reads. */
  sees: (what: string | RegExp) => Promise<string>
  types: (...texts: readonly string[]) => void
  resizes: (columns: number, rows: number) => void
  /** Sends the program a signal. */
  signals: (signal: 'SIGUSR2') => void
  /** Closes the terminal while the program runs. */
  hangsUp: () => void
  /** Waits for the end of the program: the answers, and everything that was written to the terminal. */
  leaves: () => Promise<{ answers: unknown[]; written: string }>
}

/** Seats a person before a program that asks these questions, at 80 by 24. */
export function seat(
  questions: readonly PutQuestion[],
  {
    forms = 'ask',
    editor = '',
    size = 'its own',
  }: {
    forms?: 'ask' | 'edit'
    editor?: string
    size?: 'its own' | 'none'
  } = {},
): Person {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-person-'))
  const questionsFile = join(folder, 'questions.json')
  const answersFile = join(folder, 'answers.json')
  writeFileSync(questionsFile, JSON.stringify(questions))
  const program = join(import.meta.dirname, 'asking.support.ts')
  const pty = spawn(process.execPath, [program, questionsFile, answersFile, forms, size], {
    name: 'xterm-256color',
    cols: 80,
    rows: 24,
    env: { ...ENVIRONMENT, EDITOR: editor, VISUAL: '', TERM: 'xterm-256color' },
  })
  const screen = createScreen('CR LF')
  pty.onData(screen.write)
  const ended = new Promise<void>((resolve) => {
    pty.onExit(() => resolve())
  })

  return {
    signals: (signal) => pty.kill(signal),
    hangsUp: () => (pty as IPty & { destroy: () => void }).destroy(),
    sees: async (what) => {
      const seen = await screen.sees(what)
      // A timer may end a part of a millisecond early.
      await wait(MIN_READING_MS + 1)
      return seen
    },
    types: (...texts) => {
      for (const text of texts) pty.write(text)
    },
    resizes: (columns, rows) => {
      screen.resizes(columns, rows)
      pty.resize(columns, rows)
    },
    leaves: async () => {
      await ended
      const answers = JSON.parse(readFileSync(answersFile, 'utf8')) as unknown[]
      rmSync(folder, { recursive: true })
      return { answers, written: screen.written() }
    },
  }
}
