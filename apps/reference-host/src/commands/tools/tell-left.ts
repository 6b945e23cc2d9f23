import { type Configuration, describeProblem } from '../../configuration/configuration.ts'
import type { LeftOut } from '../../tools/left-out.ts'
import type { CommandContext } from '../command-context.ts'

/** Tools that wait for trust are told together: one yes lets all of them in. */
export function tellLeft(
  { terminal }: CommandContext,
  left: readonly LeftOut[],
  { locate }: Configuration,
): void {
  const untrusted = left.filter(({ reason }) => reason === 'untrusted')
  for (const each of left) {
    const place =
      each.file === undefined
        ? locate(each)
        : { ...each, key: each.path.join('.'), file: each.file }
    if (each.reason !== 'untrusted') terminal.complain('error', describeProblem(place))
  }
  const [first] = untrusted
  if (first)
    terminal.complain('error', `${untrusted.map(({ tool }) => tool).join(', ')}: ${first.message}`)
}
