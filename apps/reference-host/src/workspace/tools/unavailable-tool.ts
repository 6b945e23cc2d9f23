import type { Diagnostic } from '../configuration/configuration.ts'
import { EXIT } from '../../process/exit-codes.ts'

/** Why a tool cannot be called: its arguments are not known, the user has not agreed to it, or it is pinned and has changed. */
type UnavailableReason = 'undescribed' | 'waiting' | 'changed'

/** A tool that is configured and cannot be called. Other tools still work. */
export interface UnavailableTool extends Diagnostic {
  tool: string
  reason: UnavailableReason
  /** The file with its configuration, unless it is `toolblocks.toml`. */
  file?: string
}

/** Returns the exit code of a command that runs without some tools. */
export function getUnavailableExitCode(left: readonly Pick<UnavailableTool, 'reason'>[]): number {
  if (left.some(({ reason }) => reason === 'undescribed')) return EXIT.failed
  return left.length > 0 ? EXIT.denied : EXIT.ok
}
