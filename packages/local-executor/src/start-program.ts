import { requireArguments, requireChoices } from '@toolblocks/protocol/internal'
import type { ProgramPlan, ProgramStart, StartedProgram } from '@toolblocks/protocol'
import {
  type Environment,
  ON_WINDOWS,
  hostEnvironment,
  toolEnvironment,
  withCleanPath,
} from './process/environment.ts'
import {
  explainStart,
  type Launched,
  launchProgram,
  locateRunnable,
} from './process/launch-program.ts'
import type { LaunchPlan } from './process/launch-plan.ts'
import { type Spawned, readExit, spawnProgram } from './process/spawn.ts'

/**
 * Starts a program that is not a tool, such as an MCP server or an editor, by the rules of tools. It is found by `PATH` without the folder's own
 * programs, in an environment that `inherits` names. With pipes it runs in its own process group, which ends with this process. Pass it to packages
 * that start programs.
 */
export async function startProgram(plan: ProgramPlan): Promise<ProgramStart> {
  requireArguments('startProgram(plan)', [plan, { program: 'string' }])
  requireChoices('startProgram(plan)', 'plan', plan, {
    inherits: ['usual', 'nothing'],
    streams: ['pipes', 'terminal', 'none'],
  })
  const { program, args, cwd, streams } = plan
  const launch = { program, args, cwd, env: getEnvironment(plan) }
  if (streams !== 'pipes') return await startUnpiped(launch, streams)
  const launched = await launchProgram(launch)
  return launched.ok ? { ok: true, program: piped(launched) } : launched
}

function getEnvironment({ env, inherits }: ProgramPlan): Environment {
  const system = ON_WINDOWS ? 'windows' : 'posix'
  return inherits === 'usual'
    ? toolEnvironment(hostEnvironment(), { env: [], setEnv: env }, system)
    : withCleanPath(env, system)
}

function piped({ child, kill, release }: Launched): StartedProgram {
  const { pid, stdout, stderr, write, endInput, exited, closed, terminate } = child
  return {
    pid,
    write,
    endInput,
    onStdout: (listener) => void stdout.on('data', listener),
    onStderr: (listener) => void stderr.on('data', listener),
    exited,
    closed: closed.then(() => undefined),
    terminate,
    kill,
    release,
  }
}

async function startUnpiped(plan: LaunchPlan, streams: 'terminal' | 'none'): Promise<ProgramStart> {
  const located = locateRunnable(plan)
  if (!located.ok) return located
  const { args, cwd, env } = plan
  const unpiped = streams === 'terminal' ? 'inherit' : 'ignore'
  const started = await spawnProgram(located.path, args, { cwd, env, streams: unpiped })
  return started.ok
    ? { ok: true, program: toProgram(started) }
    : { ok: false, message: explainStart(started.code, located.path) }
}

/** Only the program itself receives signals: at a terminal it is in the group of the host. */
function toProgram({ node, pid }: Extract<Spawned, { ok: true }>): StartedProgram {
  const exited = readExit(node)
  return {
    pid,
    write: async () => {},
    endInput: () => {},
    onStdout: () => {},
    onStderr: () => {},
    exited,
    closed: exited.then(() => undefined),
    terminate: () => void node.kill('SIGTERM'),
    kill: async () => void node.kill('SIGKILL'),
    release: () => node.unref(),
  }
}
