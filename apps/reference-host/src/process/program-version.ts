import { startOwnProgram } from './own-program.ts'

const MAX_MS = 5000

/** Returns the version that a program of this machine prints for `--version`, such as `24.21.0`; `undefined` if there is no such program. */
export async function readProgramVersion(
  program: string,
  cwd: string,
): Promise<string | undefined> {
  const plan = { program, args: ['--version'], cwd, env: {} } as const
  const started = await startOwnProgram({ ...plan, inherits: 'usual', streams: 'pipes' })
  if (!started.ok) return undefined
  const { program: running } = started
  const printed: Uint8Array[] = []
  running.onStdout((chunk) => void printed.push(chunk))
  running.onStderr((chunk) => void printed.push(chunk))
  running.endInput()
  const timer = setTimeout(() => void running.kill(), MAX_MS)
  const { code } = await running.exited
  if (code === 0) await running.closed
  clearTimeout(timer)
  running.release()
  return code === 0 ? /\d+(?:\.\d+)+/.exec(Buffer.concat(printed).toString('utf8'))?.[0] : undefined
}
