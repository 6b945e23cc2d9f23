import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { spawn as spawnAtTerminal } from '@lydell/node-pty'

/** What a run of the command came to. */
export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

/** Runs the `toolblocks` command as a person's shell would, without a terminal. */
export async function toolblocks(folder: string, ...words: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((done) => child.once('close', done))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await closed, stdout, stderr }
}

/** Runs it at a terminal, and gives all that was written there. */
export async function atTerminal(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const pty = spawnAtTerminal(process.execPath, [MAIN, ...words], {
    cwd: folder,
    env: { ...process.env, TERM: 'xterm-256color', NO_COLOR: '', ...environment },
  })
  let written = ''
  pty.onData((data) => (written += data))
  await new Promise<void>((done) => {
    pty.onExit(() => done())
  })
  return written
}
