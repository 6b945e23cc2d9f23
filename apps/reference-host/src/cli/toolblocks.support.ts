import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { spawn as spawnAtTerminal } from '@lydell/node-pty'
import { inject, onTestFinished } from 'vitest'

/** A folder for the user's settings and agreements, only for the tests of this process. */
const OWN = mkdtempSync(join(inject('users'), 'user-'))
process.env['XDG_CACHE_HOME'] = join(OWN, 'cache')
process.env['XDG_CONFIG_HOME'] = join(OWN, 'config')
process.env['XDG_DATA_HOME'] = join(OWN, 'data')
/** The tests own their folders, so all are trusted. Tests of trust delete the variable. */
process.env['TOOLBLOCKS_TRUST'] = '1'
/** The keychain of the person who runs the tests is not for tests. */
process.env['TOOLBLOCKS_LOGINS'] = 'file'

/** A person's terminal has colours. Libraries omit them if one of these is set. */
const { CI: _ci, NO_COLOR: _plain, ...ENVIRONMENT } = process.env

/** The result of a run of the command. */
export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

const MAIN = inject('command')

/** Runs the `toolblocks` command as a person's shell would, without a terminal. */
export async function toolblocks(folder: string, ...args: readonly string[]): Promise<Ran> {
  return await run(folder, args, process.env)
}

/** Runs the command with its standard output in a file. */
export async function toolblocksInto(
  file: string,
  folder: string,
  ...args: readonly string[]
): Promise<Omit<Ran, 'stdout'>> {
  const output = openSync(file, 'w')
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    stdio: ['ignore', output, 'pipe'],
  })
  closeSync(output)
  const closed = new Promise<number | null>((done) => child.once('close', done))
  const stderr = child.stderr ? await text(child.stderr) : ''
  return { code: await closed, stderr }
}

/** Runs the command for a person who has agreed only with that command's own options. */
export async function withoutTrust(folder: string, ...args: readonly string[]): Promise<Ran> {
  return await run(folder, args, { ...process.env, ...NO_TRUST })
}

/** The environment of a run that does not trust its folder. */
export const NO_TRUST = { TOOLBLOCKS_TRUST: '' }

/** Runs the command with this environment. */
export async function run(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((done) => child.once('close', done))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await closed, stdout, stderr }
}

/** Text that is typed at a terminal: each text is typed after the words before it have appeared. */
export type Typing = readonly (readonly [seen: string, text: string])[]

/** Runs the command at a terminal, and returns all of its output. */
export async function atTerminal(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  typing: Typing = [],
): Promise<string> {
  const pty = spawnAtTerminal(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, TERM: 'xterm-256color', NO_COLOR: '', ...environment },
  })
  let written = ''
  let read = 0
  const rest = typing.values()
  let next = rest.next().value
  pty.onData((data) => {
    written += data
    const index = next ? written.indexOf(next[0], read) : -1
    if (!next || index === -1) return
    read = index + next[0].length
    const [, typed] = next
    next = rest.next().value
    void wait(READING_MS).then(() => pty.write(typed))
  })
  await new Promise<void>((done) => {
    pty.onExit(() => done())
  })
  return written
}

/** What a person waits for, and the action that follows: type text, send a signal, or call a function, which may return a text to type. */
export type Step = readonly [
  RegExp,
  (
    | string
    | { signal: 'SIGTERM' | 'SIGHUP' | 'SIGKILL' }
    | ((written: string) => void | Promise<string>)
  ),
]

/** Runs the command for a person at a terminal, 80 by 24 unless another size is given. Returns the exit code and all output. */
export async function visit(
  folder: string,
  commandArgs: readonly string[],
  steps: readonly Step[],
  {
    columns = 80,
    environment = {},
    patience = PATIENCE,
    outputFile,
  }: {
    columns?: number
    /** Standard output goes to this file of the folder; input and standard error are the terminal. */
    outputFile?: string
    environment?: NodeJS.ProcessEnv
    /** Milliseconds that each of the awaited words may take. */
    patience?: number
  } = {},
): Promise<{ code: number; written: string }> {
  const command = [process.execPath, MAIN, ...commandArgs]
  const [program = '', ...args] =
    outputFile === undefined
      ? command
      : ['sh', '-c', `exec "$@" > '${outputFile}'`, 'sh', ...command]
  const pty = spawnAtTerminal(program, args, {
    cwd: folder,
    cols: columns,
    rows: 24,
    env: {
      ...ENVIRONMENT,
      TERM: 'xterm-256color',
      EDITOR: '',
      VISUAL: '',
      ...environment,
    },
  })
  const left = [...steps]
  let written = ''
  let seenTo = 0
  let opened = false
  pty.onData((data) => {
    written += data
    opened ||= data.includes(PROMPT_OPENS) || data.includes(PROMPT_IS_DRAWN)
    const [next] = left
    const match = next?.[0].exec(written.slice(seenTo))
    if (!next || !match) return
    seenTo += match.index + match[0].length
    left.shift()
    timer.refresh()
    const type = async (typed: string): Promise<void> => {
      // The awaited words may stand above a prompt that appears only now.
      for (opened = true; opened; await wait(READING_MS)) opened = false
      pty.write(typed)
    }
    if (typeof next[1] === 'string') void type(next[1])
    else if (typeof next[1] === 'function') void next[1](written)?.then(type)
    else pty.kill(next[1].signal)
  })
  // If the awaited words never appear, the first output explains why.
  const timer = setTimeout(() => pty.kill('SIGKILL'), patience)
  const code = await new Promise<number>((done) => {
    pty.onExit(({ exitCode }) => done(exitCode))
  })
  clearTimeout(timer)
  if (left.length > 0) throw new Error(`never saw ${String(left[0]?.[0])} in:\n${written}`)
  return { code, written }
}

const PATIENCE = 15_000

/** Each prompt switches bracketed paste on. */
const PROMPT_OPENS = '\u001B[?2004h'

/** A drawn prompt hides the cursor. From then on its time counts. */
const PROMPT_IS_DRAWN = '\u001B[?25l'

/** A prompt ignores Enter for 300 ms, in which nobody reads it. */
const READING_MS = 350

/** Starts a command that runs until it is ended, at the latest with the test. */
export function startToolblocks(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): {
  /** Waits for these words on standard error, and returns the match. */
  said(expected: RegExp): Promise<RegExpExecArray>
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Sends a signal that does not end it. */
  send(signal: NodeJS.Signals): void
  pid: number | undefined
  /** Waits until it ends by itself, and returns its exit code. */
  ended(): Promise<number | null>
} {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const closed = new Promise<number | null>((done) => child.once('close', done))
  onTestFinished(() => void child.kill('SIGKILL'))
  let written = ''
  child.stderr.on('data', (data) => (written += String(data)))
  return {
    said: async (expected) => {
      for (;;) {
        const match = expected.exec(written)
        if (match) return match
        const ended = await Promise.race([once(child.stderr, 'data'), closed.then(() => undefined)])
        if (!ended) throw new Error(`it ended without saying ${String(expected)}:\n${written}`)
      }
    },
    end: async (signal) => {
      child.kill(signal)
      return await closed
    },
    send: (signal) => void child.kill(signal),
    pid: child.pid,
    ended: async () => await closed,
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that Node runs as `toolblocks`. */
    command: string
    /** A folder for the settings, data and caches of users. It is removed when the run of the tests ends. */
    users: string
  }
}
