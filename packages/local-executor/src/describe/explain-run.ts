import { printableJson } from '@toolblocks/protocol'
import type { ProgramRun } from '../run-program.ts'

/** Why a run is no description: the end of a sentence that begins with the command, and what came back. */
export interface RunFailure {
  readonly what: string
  readonly output?: string
}

/** What went wrong with the run itself; `undefined` where its output decides. */
export function explainRun(run: ProgramRun, timeoutMs: number): RunFailure | undefined {
  if (run.kind === 'not-started') return { what: `could not be started: ${run.reason}` }
  const { end, stdout, stderr } = run
  const printed = stdout.isWhole ? new TextDecoder().decode(stdout.bytes) : stdout.text
  const output = printed.trim() === '' ? stderr : printed
  switch (end.kind) {
    case 'stopped':
      if (!stdout.isWhole) return undefined
      return {
        what:
          end.reason === 'timeout' ? `did not end within ${timeoutMs / 1000} s` : 'was cancelled',
        output,
      }
    case 'exited':
      if (end.code === 0) return undefined
      return {
        what:
          typeof end.code === 'number'
            ? `ended with exit code ${end.code}`
            : `was ended by the signal ${end.code}`,
        output,
      }
  }
}

const LONGEST_LINE = 100

/** One paragraph: what was run, what came back, and the two ways out. */
export function explainRefusal(ran: string, { what, output = '' }: RunFailure): string {
  const line = output.trim().split('\n', 1)[0]?.trim() ?? ''
  const shown = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line
  const said = shown === '' ? '' : `: ${printableJson(JSON.stringify(shown))}`
  return `${ran}, asked to describe itself (action "schema"), ${what}${said}. ${WAYS_OUT}`
}

const WAYS_OUT =
  'Give the tool a "parameters" table in the configuration ("parameters = {}" if it takes no arguments), or let the program answer the action "schema" (docs/protocol.md).'
