#!/usr/bin/env node
import { EXIT } from './exit-codes.ts'
import { runProgram } from './run-program.ts'
import { createTerminal } from './terminal/terminal.ts'

const cancel = new AbortController()
// The first Ctrl-C cancels the call and lets it end; a second one ends the process.
process.once('SIGINT', () => cancel.abort())
// A reader that has seen enough, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.broken)
})

const terminal = createTerminal(process)
try {
  process.exitCode = await runProgram(process.argv.slice(2), {
    terminal,
    folder: process.cwd(),
    signal: cancel.signal,
  })
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error)
  terminal.note(terminal.style.red(`toolblocks failed: ${reason}`))
  process.exitCode = EXIT.broken
}
