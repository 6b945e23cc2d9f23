import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { sanitizeTerminalLine } from '@toolblocks/renderer'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { ServiceOptions } from './create-service.ts'
import { nameTool } from './kept-calls/kept-call.ts'

type Waiting = NonNullable<ServiceOptions['waiting']>

/** Names each call that waits for a person, and where it is answered, on standard error: its client learns of it only when its request ends. */
export function noteWaiting(
  { notify, ...waiting }: Waiting = { expireMs: () => undefined },
  { terminal, command }: Pick<CommandContext, 'terminal' | 'command'>,
  getAddress?: ServiceOptions['getQuestionAddress'],
): Waiting {
  return {
    ...waiting,
    notify: (question) => {
      notify?.(question)
      const place = getAddress?.(question.id) ?? `${command} questions answer ${question.id}`
      terminal.note(terminal.sanitize(`${describeAsked(question)} waits for a person: ${place}`))
    },
  }
}

function describeAsked({ call, client }: PendingQuestion): string {
  const name = sanitizeTerminalLine(nameTool(call))
  return client ? `${name}, called by ${sanitizeTerminalLine(client.name)},` : name
}
