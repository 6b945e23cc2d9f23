import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { CommanderError } from 'commander'
import { createProgram } from './create-program.ts'
import { EXIT } from './exit-codes.ts'
import { createTerminal, type Terminal } from './terminal/terminal.ts'
import { workingFolder } from './working-folder.ts'

/** Runs the command that the words name, in this process. */
export async function runCommand(words: readonly string[], version: string): Promise<void> {
  const cancel = new AbortController()
  // The first Ctrl-C cancels the call and lets it end; a second one ends the process.
  process.once('SIGINT', () => cancel.abort())
  // A reader that has seen enough, such as head, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.broken)
  })
  const terminal = createTerminal(process)
  const folder = workingFolder(process.cwd(), process.env)
  const readText = async (name: string): Promise<string> =>
    name === '-' ? await text(process.stdin) : await readFile(resolve(folder, name), 'utf8')
  try {
    const context = { terminal, folder, signal: cancel.signal, readText }
    await createProgram(context, { version, end: setExitCode }).parseAsync(words, { from: 'user' })
  } catch (error) {
    setExitCode(tellFailure(error, terminal))
  }
}

function setExitCode(code: number): void {
  process.exitCode = code
}

function tellFailure(error: unknown, terminal: Terminal): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  const reason = error instanceof Error ? error.message : String(error)
  terminal.note(terminal.style.red(`toolblocks failed: ${reason}`))
  return EXIT.broken
}
