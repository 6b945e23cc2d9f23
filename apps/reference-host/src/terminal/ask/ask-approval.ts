import { confirmAtTerminal } from '@toolblocks/inquiry/terminal'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { ApproveCall } from '@toolblocks/tool-executor'
import type { Answer, Approval } from '@toolblocks/protocol'
import type { PersonOptions } from './create-person.ts'
import { previewArguments } from './preview-arguments.ts'
import type { Terminal } from '../terminal.ts'

/** Asks a person at the terminal, yes or no; undefined where nobody is there, which denies the call. */
export function createApproval(
  terminal: Terminal,
  { root, interrupt }: Pick<PersonOptions, 'root' | 'interrupt'>,
): ApproveCall | undefined {
  if (!terminal.isInteractive) return undefined
  return async (call, { formatted, signal }) => {
    const material = previewArguments(call, formatted, {
      colors: terminal.colors,
      columns: terminal.columns,
      root,
    })
    const answer = await confirmAtTerminal({
      material,
      question: joinTerminal(['Run ', call.name, '?'].map((part) => sanitizeTerminalLine(part))),
      signal,
      onInterrupt: interrupt,
    })
    return toApproval(answer)
  }
}

function toApproval(answer: Answer): Approval {
  switch (answer.action) {
    case 'accept':
      return answer.value === true
        ? { decision: 'allowed' }
        : { decision: 'denied', reason: 'by the user' }
    case 'decline':
      return { decision: 'denied', reason: 'by the user' }
    case 'cancel':
      return { decision: 'cancelled' }
  }
}
