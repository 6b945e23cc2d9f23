import type { execa as run } from 'execa'
import { MissingLibraryError } from '../../missing-library-error.ts'
import { codeOf, type Start, type Started, type SystemChild } from './started.ts'

/**
 * With execa, an optional peer, which finds the interpreters of scripts, escapes for `cmd.exe`, and ends trees of processes.
 * Throws a `MissingLibraryError` where it is not installed.
 */
export async function startOnWindows(
  { program, args, cwd, env }: Start,
  load: () => Promise<{ execa: typeof run }> = () => import('execa'),
): Promise<Started<SystemChild>> {
  const { execa } = await load().catch((cause: unknown) => {
    throw new MissingLibraryError('execa', 'Programs on Windows are started with it', { cause })
  })
  const started = execa(program, args, {
    cwd,
    env,
    extendEnv: false,
    stdio: ['pipe', 'pipe', 'pipe'],
    encoding: 'buffer',
    buffer: false,
    reject: false,
    killDescendants: true,
    forceKillAfterDelay: false,
  })
  const { nodeChildProcess: node, pid, stdin, stdout, stderr } = started
  if (pid === undefined) return { ok: false, code: codeOf(await started) }
  const terminate = (): void => void started.kill('SIGTERM')
  return { ok: true, child: { node, pid, stdin, stdout, stderr, terminate } }
}
