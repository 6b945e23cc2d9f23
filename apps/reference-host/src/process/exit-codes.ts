import type { Outcome, ToolResult } from '@toolblocks/protocol'

/** The exit codes of the command. `toolblocks --help` lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  timeout: 4,
  unanswered: 5,
  waiting: 6,
  broken: 70,
  cancelled: 130,
} as const

/** The list of exit codes for `--help`. */
export const EXIT_CODES_HELP = `Exit codes:
  0    the call completed
  1    the tool failed or did not describe itself, a conversation is damaged,
       or another process did not release a file
  2    wrong usage or configuration
  3    the call was denied or skipped, or needs your agreement, or a
       changed tool must be accepted first
  4    the tool ran out of time
  5    no person could answer a question of the tool
  6    questions wait for a person (run --park)
  70   toolblocks itself failed
  130  cancelled (Ctrl-C)`

/** Returns the exit code of a call. */
export function getExitCode(result: ToolResult): number {
  const outcome: Outcome = result.metadata?.outcome ?? (result.isError ? 'failed' : 'completed')
  switch (outcome) {
    case 'completed':
      return EXIT.ok
    case 'failed':
      return EXIT.failed
    case 'denied':
      return EXIT.denied
    case 'cancelled':
      return EXIT.cancelled
    case 'timeout':
      return EXIT.timeout
    case 'unanswered':
      return EXIT.unanswered
  }
}
