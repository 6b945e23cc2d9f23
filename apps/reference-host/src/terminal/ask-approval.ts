import { confirm, isCancel, log } from '@clack/prompts'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { ApproveCall } from '@toolblocks/tool-executor'
import { previewArguments } from './preview-arguments.ts'
import type { Terminal } from './terminal.ts'

/** Asks a person at the terminal, yes or no; undefined where nobody is there, which denies the call. */
export function createApproval(terminal: Terminal, root: string): ApproveCall | undefined {
  if (!terminal.isInteractive) return undefined
  return async (call, { formatted }, signal) => {
    const shown = previewArguments(call, formatted, { colors: terminal.colors, root })
    log.message(joinTerminal([terminal.style.bold(call.name), shown], '\n'))
    const answer = await confirm({
      message: joinTerminal(['Run ', call.name, '?'].map(sanitizeTerminalLine)),
      initialValue: false,
      signal,
    })
    if (isCancel(answer)) return { action: 'deny', reason: 'the question was cancelled' }
    return answer ? { action: 'run' } : { action: 'deny', reason: 'by the user' }
  }
}
