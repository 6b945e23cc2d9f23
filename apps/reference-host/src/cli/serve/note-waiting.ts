import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { sanitizeTerminalLine } from '@toolblocks/renderer'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { ServiceOptions } from './create-service.ts'
import { nameTool } from './kept-calls/kept-call.ts'

type ServedWaiting = NonNullable<ServiceOptions['waiting']>

/** Names each call that waits for a person, and where it is answered, on standard error: its client learns of it only when its request ends. */
export function noteWaiting(
  { notify, ...waiting }: ServedWaiting = { expireMs: () => undefined },
  { terminal, command }: Pick<CommandContext, 'terminal' | 'command'>,
  getAddress?: ServiceOptions['getQuestionAddress'],
): ServedWaiting {
  return {
    ...waiting,
    notify: (question) => {
      notify?.(question)
      const address = getAddress?.(question.id) ?? `${command} questions answer ${question.id}`
      terminal.note(terminal.sanitize(`${describeAsked(question)} waits for a person: ${address}`))
    },
  }
}

function describeAsked({ call, client }: PendingQuestion): string {
  const name = sanitizeTerminalLine(nameTool(call))
  return client ? `${name}, called by ${sanitizeTerminalLine(client.name)},` : name
}
