import type { ToolResult } from '@toolblocks/protocol'
import { EXIT, getExitCode } from '../../../process/exit-codes.ts'
import type { CommandContext } from '../../../terminal/command-context.ts'
import { type LiveSession, runActions, type SessionStep } from './open-live-call.ts'

/** Where the results of a script go. */
interface ScriptSettings extends Pick<CommandContext, 'terminal'> {
  output: 'text' | 'json'
  /** What the call shows: messages, or the screen of a program at a terminal. */
  shows: 'messages' | 'screen'
  show(result: ToolResult): void
}

/** Runs the steps of a script, shows or prints their results, and returns the exit code of the first one that failed. */
export async function runScript(
  live: LiveSession,
  steps: SessionStep[],
  { terminal, output, show, shows }: ScriptSettings,
): Promise<number> {
  const { results, problem } = await runActions(live, steps, output === 'text' ? show : () => {})
  if (output === 'json') terminal.printJson(results)
  if (problem !== undefined) terminal.report('error', problem)
  const silence = shows === 'messages' ? explainSilence(results) : undefined
  if (silence !== undefined) terminal.note(terminal.style.plain(silence))
  const codes = [...results.map(getExitCode), problem === undefined ? EXIT.ok : EXIT.usage]
  return codes.find((code) => code !== EXIT.ok) ?? EXIT.ok
}

/** Says what a program that stays alive and has not answered in time has probably missed. `undefined`: each request was answered. */
function explainSilence(results: readonly ToolResult[]): string | undefined {
  return results.some(({ metadata }) => metadata?.outcome === 'timeout')
    ? 'A program that stays alive reads one line for each request, and writes each response as one line and flushes it: in Python, print(…, flush=True).'
    : undefined
}
