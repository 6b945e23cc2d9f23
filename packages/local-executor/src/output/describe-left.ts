import type { LeftProcess, ProcessEnd } from '../process/run-process.ts'
import type { LocalProblem } from '../local-problem.ts'

/** So many processes are named. */
const NAMED = 5

/** What a program that ended by itself left behind, and what became of it. */
export function describeLeft({
  pipesHeld,
  left,
}: Pick<Extract<ProcessEnd, { kind: 'exited' }>, 'pipesHeld' | 'left'>): LocalProblem[] {
  if (pipesHeld)
    return [
      problem(
        `The program ended, but something it had started held its output open and was killed${left.length > 0 ? `, with all that had left its group: ${nameAll(left)}. Wait` : ': wait'} for what is started, or redirect its output.`,
      ),
    ]
  if (left.length === 0) return []
  return left.some(({ fate }) => fate === 'killed')
    ? [
        problem(
          `The program ended, but what it had started went on and was killed: ${nameAll(left)}.`,
        ),
      ]
    : [
        problem(
          `The program ended, but what it had started goes on: ${nameAll(left)}. To have such processes stopped, set left_behind to "stop" for this tool.`,
        ),
      ]
}

function problem(message: string): LocalProblem {
  return { path: '', code: 'processes-left-behind', message }
}

/** Names come from the processes themselves. */
function nameAll(left: readonly LeftProcess[]): string {
  const names = left
    .slice(0, NAMED)
    .map(({ pid, name }) => `${JSON.stringify(name)} (process ${pid})`)
  return left.length > NAMED
    ? `${names.join(', ')} and ${left.length - NAMED} more`
    : names.join(', ')
}
