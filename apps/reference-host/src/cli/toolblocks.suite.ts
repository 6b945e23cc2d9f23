import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { spawn as spawnAtTerminal } from '@lydell/node-pty'
import { afterAll, inject, onTestFinished } from 'vitest'

/** What runs remember of a user, such as trust, is one of these tests only. */
const OWN = mkdtempSync(join(tmpdir(), 'toolblocks-own-'))
process.env['XDG_CACHE_HOME'] = join(OWN, 'cache')
process.env['XDG_CONFIG_HOME'] = join(OWN, 'config')
process.env['XDG_DATA_HOME'] = join(OWN, 'data')
/** Folders are these tests' own. Tests of trust itself delete it. */
process.env['TOOLBLOCKS_TRUST'] = '1'
afterAll(() => rmSync(OWN, { recursive: true, force: true }))

/** A person's terminal has colours, which libraries leave out where either is set. */
const { CI: _ci, NO_COLOR: _plain, ...ENVIRONMENT } = process.env

/** What a run of the command came to. */
export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

const MAIN = inject('command')

/** Runs the `toolblocks` command as a person's shell would, without a terminal. */
export async function toolblocks(folder: string, ...words: readonly string[]): Promise<Ran> {
  return await run(folder, words, process.env)
}

/** The same, where the person has agreed only to what they said with the command before. */
export async function withoutTrust(folder: string, ...words: readonly string[]): Promise<Ran> {
  return await run(folder, words, { ...process.env, ...NO_TRUST })
}

/** For a run that does not agree to everything in its folder. */
export const NO_TRUST = { TOOLBLOCKS_TRUST: '' }

/** Runs it with an environment of its own. */
export async function run(
  folder: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((done) => child.once('close', done))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await closed, stdout, stderr }
}

/** What is typed at a terminal: each text once the words before it were written there. */
export type Typing = readonly (readonly [seen: string, text: string])[]

/** Runs it at a terminal, and gives all that was written there. */
export async function atTerminal(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  typing: Typing = [],
): Promise<string> {
  const pty = spawnAtTerminal(process.execPath, [MAIN, ...words], {
    cwd: folder,
    env: { ...process.env, TERM: 'xterm-256color', NO_COLOR: '', ...environment },
  })
  let written = ''
  let read = 0
  const rest = typing.values()
  let next = rest.next().value
  pty.onData((data) => {
    written += data
    const at = next ? written.indexOf(next[0], read) : -1
    if (!next || at === -1) return
    read = at + next[0].length
    pty.write(next[1])
    next = rest.next().value
  })
  await new Promise<void>((done) => {
    pty.onExit(() => done())
  })
  return written
}

/** What a person waits to see, and what they do then: type, have the terminal or somebody else send a signal, or something else. */
export type Step = readonly [RegExp, string | { signal: 'SIGTERM' | 'SIGHUP' } | (() => void)]

/** Runs it before a person at a terminal of 80 by 24, or as they like it, and gives how it ended and all that was written. */
export async function visit(
  folder: string,
  words: readonly string[],
  steps: readonly Step[],
  { columns = 80, environment = {} }: { columns?: number; environment?: NodeJS.ProcessEnv } = {},
): Promise<{ code: number; written: string }> {
  const pty = spawnAtTerminal(process.execPath, [MAIN, ...words], {
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
  pty.onData((data) => {
    written += data
    const [next] = left
    const found = next?.[0].exec(written.slice(seenTo))
    if (!next || !found) return
    seenTo += found.index + found[0].length
    left.shift()
    if (typeof next[1] === 'string') pty.write(next[1])
    else if (typeof next[1] === 'function') next[1]()
    else pty.kill(next[1].signal)
  })
  // The first words of a program that never says what is waited for are all that tells why.
  const timer = setTimeout(() => pty.kill('SIGKILL'), PATIENCE)
  const code = await new Promise<number>((done) => {
    pty.onExit(({ exitCode }) => done(exitCode))
  })
  clearTimeout(timer)
  if (left.length > 0) throw new Error(`never saw ${String(left[0]?.[0])} in:\n${written}`)
  return { code, written }
}

const PATIENCE = 15_000

/** A run of the command that goes on until it is ended; ended with the test at the latest. */
export function startToolblocks(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): {
  /** What it says on standard error, once it is there. */
  said(words: RegExp): Promise<RegExpExecArray>
  end(signal: NodeJS.Signals): Promise<number | null>
} {
  const child = spawn(process.execPath, [MAIN, ...words], {
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
        const found = expected.exec(written)
        if (found) return found
        const ended = await Promise.race([once(child.stderr, 'data'), closed.then(() => undefined)])
        if (!ended) throw new Error(`it ended without saying ${String(expected)}:\n${written}`)
      }
    },
    end: async (signal) => {
      child.kill(signal)
      return await closed
    },
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that Node runs as `toolblocks`. */
    command: string
  }
}
