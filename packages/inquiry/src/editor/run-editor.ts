import type { StartProgram } from '@toolblocks/protocol'
import { EditorError } from './editor-error.ts'

/** What is run, with which environment, and by whom. */
export interface Editor {
  command: string
  environment: NodeJS.ProcessEnv
  startProgram: StartProgram
}

/** How long an editor has to put the terminal in order once it is told to end. */
const GRACE = 2000

/** Has a person edit a file. An editor that ends with an error, or is ended by the signal, leaves it at that: `gave-up`. */
export async function runEditor(
  file: string,
  { command, environment, startProgram }: Editor,
  signal: AbortSignal,
): Promise<'saved' | 'gave-up'> {
  const started = await startProgram({
    program: 'sh',
    // The shell gives way to the editor, so that a signal reaches it; env takes assignments before the command.
    args: ['-c', `exec env ${command} "$1"`, 'sh', file],
    cwd: process.cwd(),
    env: environment,
    inherits: 'nothing',
    streams: 'terminal',
  })
  if (!started.ok) throw new EditorError(command, { cause: new Error(started.message) })
  const { program } = started
  let deadline: NodeJS.Timeout | undefined
  const end = (): void => {
    program.terminate()
    deadline = setTimeout(() => void program.kill(), GRACE)
  }
  signal.addEventListener('abort', end, { once: true })
  // It may have aborted while the editor was being started.
  if (signal.aborted) end()
  const { code } = await program.exited
  clearTimeout(deadline)
  signal.removeEventListener('abort', end)
  // What a shell ends with when it cannot run a command, or cannot find it.
  if (code === 126 || code === 127) throw new EditorError(command)
  return code === 0 ? 'saved' : 'gave-up'
}
