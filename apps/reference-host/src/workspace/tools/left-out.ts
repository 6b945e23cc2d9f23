import type { Diagnostic } from '../configuration/configuration.ts'
import { EXIT } from '../../process/exit-codes.ts'

/** Why a tool cannot be called: nobody knows what it takes, nobody has agreed to it, or it is pinned and has changed. */
type LeftReason = 'undescribed' | 'waiting' | 'changed'

/** A tool that is configured and cannot be called; the others go on working. */
export interface LeftOut extends Diagnostic {
  tool: string
  reason: LeftReason
  /** Where it is configured, if not in the configuration itself. */
  file?: string
}

/** The exit code of a command that had to do without some tools. */
export function exitCodeOfLeft(left: readonly Pick<LeftOut, 'reason'>[]): number {
  if (left.some(({ reason }) => reason === 'undescribed')) return EXIT.failed
  return left.length > 0 ? EXIT.denied : EXIT.ok
}
