import { once } from 'node:events'
import { sendSignal } from '../end/send-signal.ts'
import { openStandardStreams } from '../streams/open-standard-streams.ts'
import { spawnAtTerminal, spawnDetached } from './spawn.ts'
import { codeOf, type Start, type Started, type SystemChild, type UnpipedChild } from './started.ts'

/** Without execa, whose work before and after a process takes half a millisecond of every call. */
export async function startOnPosix({
  program,
  args,
  cwd,
  env,
  input,
}: Start): Promise<Started<SystemChild>> {
  const streams = input === undefined ? undefined : await openStandardStreams(input)
  try {
    const stdio = streams?.descriptors ?? (['pipe', 'pipe', 'pipe'] as const)
    const node = spawnDetached(program, args, { cwd, env, stdio })
    const { pid, stdin } = node
    if (pid === undefined) throw (await once(node, 'error'))[0]
    node.on('error', () => {})
    const stdout = streams?.stdout ?? node.stdout
    const stderr = streams?.stderr ?? node.stderr
    if (!stdout || !stderr) throw new Error('started without pipes')
    const terminate = (): void => void sendSignal(-pid, 'SIGTERM')
    return { ok: true, child: { node, pid, ...(stdin && { stdin }), stdout, stderr, terminate } }
  } catch (error) {
    streams?.stdout.destroy()
    streams?.stderr.destroy()
    return { ok: false, code: codeOf(error) }
  } finally {
    streams?.handOver()
  }
}

/** Starts a program without pipes: at this process's terminal, or in a process group of its own with no streams. */
export async function startUnpipedOnPosix(
  { program, args, cwd, env }: Start,
  streams: 'terminal' | 'none',
): Promise<Started<UnpipedChild>> {
  try {
    const node =
      streams === 'terminal'
        ? spawnAtTerminal(program, args, { cwd, env })
        : spawnDetached(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'ignore'] })
    const { pid } = node
    if (pid === undefined) throw (await once(node, 'error'))[0]
    node.on('error', () => {})
    return { ok: true, child: { node, pid } }
  } catch (error) {
    return { ok: false, code: codeOf(error) }
  }
}
