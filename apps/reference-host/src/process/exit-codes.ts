import type { Outcome, ToolResult } from '@toolblocks/protocol'

/** How the command ends; also told by `toolblocks --help`. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  timeout: 4,
  unanswered: 5,
  broken: 70,
  cancelled: 130,
} as const

/** For `--help`. */
export const EXIT_CODES_HELP = `Exit codes:
  0    the call completed
  1    the tool failed, or cannot say what it is; a conversation is damaged
  2    wrong usage or configuration
  3    the call was denied or skipped, something waits for your
       agreement, or a tool for its change to be accepted
  4    the tool ran out of time
  5    the tool asked and nobody could answer
  70   toolblocks itself failed
  130  cancelled (Ctrl-C)`

/** The exit code of a call. */
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
