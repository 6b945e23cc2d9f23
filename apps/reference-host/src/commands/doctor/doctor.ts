import { EXIT } from '../../exit-codes.ts'
import type { CommandContext, SharedOptions } from '../command-context.ts'
import { examineEditor, examineNode, examineTerminal } from './examine-machine.ts'
import { examineWorkspace } from './examine-workspace.ts'
import { type Finding, writeFindings } from './finding.ts'

/** `toolblocks doctor`: looks at everything a command may need, and says of each problem how to mend it. Changes nothing. */
export async function runDoctor(context: CommandContext, options: SharedOptions): Promise<number> {
  const { terminal, folder, signal } = context
  const found: Finding[] = []
  // Each part is shown when it is known: a server may take its time.
  const tell = (findings: readonly Finding[]): void => {
    found.push(...findings)
    if (options.output !== 'json' && findings.length > 0)
      terminal.print(writeFindings(findings, terminal))
  }
  tell(await examineNode(folder))
  tell(await examineWorkspace(context, options))
  tell(await examineEditor(folder, process.env))
  tell(examineTerminal(terminal, process.env))
  if (options.output === 'json') terminal.printJson(found)
  if (signal.aborted) return EXIT.cancelled
  return found.find((each) => each.state === 'problem')?.code ?? EXIT.ok
}
