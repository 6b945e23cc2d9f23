import { getErrorText } from '@toolblocks/protocol/internal'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { CommanderError } from 'commander'
import { createProgram, writeHelpAsOption } from './create-program.ts'
import { listenForExitSignals } from '../process/exit-signals.ts'
import { EXIT } from '../process/exit-codes.ts'
import { ownCommand } from '../process/own-command.ts'
import { createTerminal, type Terminal } from '../terminal/terminal.ts'
import { workingFolder } from '../workspace/files/real-path.ts'

/** Runs the command that the words name, in this process. */
export async function runCommand(args: readonly string[], version: string): Promise<void> {
  const ending = listenForExitSignals(process)
  const terminal = createTerminal(process)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe early, such as head, is no error.
    if (error.code === 'EPIPE') process.exit(ending.exitCode() ?? EXIT.ok)
    terminal.report('error', `the standard output cannot be written: ${error.message}`)
    process.exit(ending.exitCode() ?? EXIT.broken)
  })
  const folder = workingFolder(process.cwd(), process.env)
  const readText = async (name: string): Promise<string> =>
    name === '-' ? await text(process.stdin) : await readFile(resolve(folder, name), 'utf8')
  try {
    const { signal, interrupt } = ending
    const program = process.argv[1] ?? 'toolblocks'
    const command = ownCommand({ program, folder, environment: process.env })
    const context = { terminal, command, folder, signal, interrupt, readText }
    const end = (code: number): void =>
      setExitCode(code === EXIT.cancelled ? (ending.exitCode() ?? code) : code)
    const commands = createProgram(context, args, { version, end })
    await commands.parseAsync(writeHelpAsOption(commands, args), { from: 'user' })
  } catch (error) {
    const isEnded = ending.signal.aborted && error === ending.signal.reason
    setExitCode(isEnded ? (ending.exitCode() ?? EXIT.cancelled) : reportFailure(error, terminal))
  }
}

function setExitCode(code: number): void {
  process.exitCode = code
}

function reportFailure(error: unknown, terminal: Terminal): number {
  // Commander has already printed the error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  const reason = getErrorText(error)
  if (error instanceof Error && error.name === 'LockHeld') {
    terminal.report('error', reason)
    return EXIT.failed
  }
  terminal.report('error', `toolblocks failed: ${reason}`)
  return EXIT.broken
}
