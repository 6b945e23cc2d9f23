import { spawn } from 'node:child_process'
import { EditorError } from './editor-error.ts'

/** What is run, and with which environment. */
export interface Editor {
  command: string
  environment: NodeJS.ProcessEnv
}

/** How long an editor has to put the terminal in order once it is told to end. */
const GRACE = 2000

/** Has a person edit a file. An editor that ends with an error, or is ended by the signal, leaves it at that: `gave-up`. */
export async function runEditor(
  file: string,
  { command, environment }: Editor,
  signal: AbortSignal,
): Promise<'saved' | 'gave-up'> {
  // The shell gives way to the editor, so that a signal reaches it; env takes assignments before the command.
  const child = spawn('sh', ['-c', `exec env ${command} "$1"`, 'sh', file], {
    stdio: 'inherit',
    env: environment,
  })
  let deadline: NodeJS.Timeout | undefined
  const end = (): void => {
    child.kill()
    deadline = setTimeout(() => child.kill('SIGKILL'), GRACE)
  }
  signal.addEventListener('abort', end, { once: true })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (cause) => reject(new EditorError(command, { cause })))
      child.once('exit', resolve)
    })
    // What a shell ends with when it cannot run a command, or cannot find it.
    if (code === 126 || code === 127) throw new EditorError(command)
    return code === 0 ? 'saved' : 'gave-up'
  } finally {
    clearTimeout(deadline)
    signal.removeEventListener('abort', end)
  }
}
