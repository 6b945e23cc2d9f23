// Runs the command at a terminal, like a person.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const host = createRequire(new URL('../../apps/reference-host/package.json', import.meta.url))
const { spawn } = host('@lydell/node-pty')
const MAIN = fileURLToPath(new URL('../../apps/reference-host/src/main.ts', import.meta.url))

/**
 * Types a command and runs it until it ends, or until the text `until` is on the screen: the command then waits for a person, and is ended. Each
 * text of `typing` is typed when the text before it is on the screen.
 */
export async function runAtScreen(
  screen,
  { folder, args, until, typing = [], environment: more = {} },
) {
  const typed = args.map((word) => (/^[\w./=-]+$/.test(word) ? word : `'${word}'`)).join(' ')
  await screen.write(`${screen.isEmpty() ? '' : '\r\n'}$ toolblocks ${typed}\r\n`)
  const { CI: _ci, NO_COLOR: _plain, ...environment } = process.env
  const pty = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    cols: screen.columns,
    rows: screen.rows,
    env: { ...environment, TERM: 'xterm-256color', ...more },
  })
  const writing = []
  const left = [...typing]
  let written = ''
  let seen = 0
  pty.onData((data) => {
    written += data
    writing.push(screen.write(data))
    const plain = stripVTControlCharacters(written)
    const [next] = left
    const match = next && next[0].exec(plain.slice(seen))
    if (match) {
      seen += match.index + match[0].length
      left.shift()
      // A prompt ignores Enter for 300 ms, in which nobody reads it.
      setTimeout(() => pty.write(next[1]), 350)
    } else if (left.length === 0 && until?.test(plain.slice(seen))) pty.kill('SIGKILL')
  })
  await new Promise((done) => pty.onExit(done))
  await Promise.all(writing)
}
