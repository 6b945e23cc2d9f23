/** A person at a pseudo-terminal: reads the screen, then types. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn, type IPty } from '@lydell/node-pty'
import { Terminal } from '@xterm/headless'
import type { InputRequest, QuestionContext } from '@toolblocks/protocol'

/** A person's terminal has colours, which libraries leave out where CI is set. */
const { CI: _ci, ...ENVIRONMENT } = process.env

export const keys = {
  enter: '\r',
  escape: '\u001B',
  up: '\u001B[A',
  down: '\u001B[B',
  space: ' ',
  tab: '\t',
  backspace: '\u007F',
  interrupt: '\u0003',
  endOfInput: '\u0004',
  stop: '\u001A',
} as const

export type PutQuestion = Partial<QuestionContext> & { request: InputRequest }

export interface Person {
  /** Waits until the screen shows this. */
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

const PATIENCE = 15_000

/** Seats a person before a program that asks these questions, at 80 by 24. */
export function seat(
  questions: readonly PutQuestion[],
  {
    forms = 'ask',
    editor = '',
    size = 'its own',
  }: { forms?: 'ask' | 'edit'; editor?: string; size?: 'its own' | 'none' } = {},
): Person {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-person-'))
  const questionsFile = join(folder, 'questions.json')
  const answersFile = join(folder, 'answers.json')
  writeFileSync(questionsFile, JSON.stringify(questions))
  const program = join(import.meta.dirname, 'asking.suite.ts')
  const pty = spawn(process.execPath, [program, questionsFile, answersFile, forms, size], {
    name: 'xterm-256color',
    cols: 80,
    rows: 24,
    env: { ...ENVIRONMENT, EDITOR: editor, VISUAL: '', TERM: 'xterm-256color' },
  })
  const terminal = new Terminal({ cols: 80, rows: 24, allowProposedApi: true })
  let written = ''
  let look: () => void = () => undefined
  pty.onData((data) => {
    written += data
    terminal.write(data, () => look())
  })
  const ended = new Promise<void>((resolve) => {
    pty.onExit(() => resolve())
  })

  return {
    signals: (signal) => pty.kill(signal),
    hangsUp: () => (pty as IPty & { destroy: () => void }).destroy(),
    sees: async (what) => {
      const deadline = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => deadline.reject(new Error(`never saw ${String(what)} in:\n${screenOf(terminal)}`)),
        PATIENCE,
      )
      const seen = new Promise<string>((resolve) => {
        look = () => {
          const screen = screenOf(terminal)
          if (typeof what === 'string' ? screen.includes(what) : what.test(screen)) resolve(screen)
        }
        look()
      })
      return await Promise.race([seen, deadline.promise]).finally(() => clearTimeout(timer))
    },
    types: (...texts) => {
      for (const text of texts) pty.write(text)
    },
    resizes: (columns, rows) => {
      terminal.resize(columns, rows)
      pty.resize(columns, rows)
    },
    leaves: async () => {
      await ended
      const answers = JSON.parse(readFileSync(answersFile, 'utf8')) as unknown[]
      rmSync(folder, { recursive: true })
      terminal.dispose()
      return { answers, written }
    },
  }
}

/** What can be seen: the rows of the window, without what was scrolled out of it. */
function screenOf({ buffer, rows }: Terminal): string {
  const { active } = buffer
  return Array.from(
    { length: rows },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
  ).join('\n')
}
