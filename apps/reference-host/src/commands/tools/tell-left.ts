import { type Configuration, describeProblem } from '../../configuration/configuration.ts'
import type { LeftOut } from '../../tools/left-out.ts'
import type { CommandContext } from '../command-context.ts'

/** Tells which tools cannot be called. Those that wait for agreement are told together: one yes is for all of them. */
export function tellLeft(
  { terminal }: CommandContext,
  left: readonly LeftOut[],
  { locate }: Configuration,
): void {
  const waiting = left.filter(({ reason }) => reason === 'waiting')
  for (const each of left) {
    const place =
      each.file === undefined
        ? locate(each)
        : { ...each, key: each.path.join('.'), file: each.file }
    if (each.reason !== 'waiting') terminal.complain('error', describeProblem(place))
  }
  const [first] = waiting
  if (first)
    terminal.complain('error', `${waiting.map(({ tool }) => tool).join(', ')}: ${first.message}`)
}
