import type { execa as run } from 'execa'
import { MissingLibraryError } from './missing-library-error.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { getCode, type Started, type SystemChild, type UnpipedChild } from './spawn.ts'

type Load = () => Promise<{ execa: typeof run }>

async function loadExeca(load: Load | undefined): ReturnType<Load> {
  // Inside "try", bundlers accept that the package is missing.
  try {
    return await (load ? load() : import('execa'))
  } catch (cause) {
    throw new MissingLibraryError('execa', 'to start programs on Windows', { cause })
  }
}

/**
 * Starts a program with execa, an optional peer, which finds the interpreters of scripts, escapes for `cmd.exe`, and ends trees of processes.
 * Throws a `MissingLibraryError` if it is not installed.
 */
export async function startOnWindows(
  { program, args, cwd, env }: LaunchPlan,
  load?: Load,
): Promise<Started<SystemChild>> {
  const { execa } = await loadExeca(load)
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
  if (pid === undefined) return { ok: false, code: getCode(await started) }
  const terminate = (): void => void started.kill('SIGTERM')
  return { ok: true, child: { node, pid, stdin, stdout, stderr, terminate } }
}

/** Starts a program without pipes: at this process's console, or alone and without streams. Throws as `startOnWindows` does. */
export async function startUnpipedOnWindows(
  { program, args, cwd, env }: LaunchPlan,
  streams: 'terminal' | 'none',
  load?: Load,
): Promise<Started<UnpipedChild>> {
  const { execa } = await loadExeca(load)
  const started = execa(program, args, {
    cwd,
    env,
    extendEnv: false,
    stdio: streams === 'terminal' ? 'inherit' : 'ignore',
    buffer: false,
    reject: false,
    cleanup: streams === 'terminal',
    detached: streams === 'none',
  })
  const { nodeChildProcess: node, pid } = started
  return pid === undefined
    ? { ok: false, code: getCode(await started) }
    : { ok: true, child: { node, pid } }
}
