import { createEditorAnswers } from '@toolblocks/inquiry/editor'
import { chooseAtTerminal } from '@toolblocks/inquiry/terminal'
import { startProgram } from '@toolblocks/local-executor'
import {
  isJsonObject,
  isJsonValue,
  type Answer,
  type JsonValue,
  type ToolCall,
} from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { PersonOptions } from '../terminal/ask/create-person.ts'
import { previewArguments } from '../terminal/ask/preview-arguments.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { AskApproval, LastingApproval } from './create-approver.ts'

/** In the order of the list; the first is preselected, and lets nothing run. */
const CHOICES = [
  ['no', 'No'],
  ['once', 'Run it'],
  ['edit', 'Change the arguments in the editor, and run it'],
  ['conversation', 'Run it, and do not ask again in this conversation'],
  ['always', 'Run it, and never ask again'],
  ['skip', 'Go on without it'],
] as const

/** Asks a person at the terminal whether a call may run, and for how long; undefined where nobody is there. */
export function createLastingApproval(
  terminal: Terminal,
  { root, interrupt }: Pick<PersonOptions, 'root' | 'interrupt'>,
): AskApproval | undefined {
  if (!terminal.isInteractive) return undefined
  return async (call, { formatted, entry, agents = [] }, signal) => {
    const { colors, columns } = terminal
    const answer = await chooseAtTerminal({
      material: previewArguments(call, formatted, { colors, columns, root }),
      question: joinTerminal(
        [...agents.map((agent) => `Agent ${agent}: `), 'Run ', call.name, '?'].map((part) =>
          sanitizeTerminalLine(part),
        ),
      ),
      choices: CHOICES.map(([value, label]) => ({ value, label: sanitizeTerminalLine(label) })),
      initial: 'no',
      signal,
      onInterrupt: interrupt,
    })
    return answer.action === 'accept' && answer.value === 'edit'
      ? await editArguments(call, entry, signal)
      : toApproval(answer)
  }
}

/** Arguments that fit the tool, as a person has changed them. */
async function editArguments(
  call: ToolCall,
  { tool }: ToolEntry,
  signal: AbortSignal,
): Promise<LastingApproval> {
  const { inputSchema: schema, name } = tool
  const values = isJsonValue(call.arguments) ? call.arguments : {}
  const edit = createEditorAnswers({ startProgram })
  const edited = await edit(
    { id: 'arguments', text: `The arguments of ${name}`, schema, default: values },
    { blocks: [], source: { kind: 'question', call }, signal },
  )
  return edited.action === 'accept' && isJsonObject(edited.value)
    ? { action: 'run', arguments: edited.value }
    : { action: 'cancel' }
}

function toApproval(answer: Answer): LastingApproval {
  switch (answer.action) {
    case 'accept':
      return toDecision(answer.value)
    case 'decline':
      return { action: 'deny', reason: 'by the user' }
    case 'cancel':
      return { action: 'cancel' }
  }
}

function toDecision(choice: JsonValue): LastingApproval {
  if (choice === 'once') return { action: 'run' }
  if (choice === 'conversation' || choice === 'always') return { action: 'run', remember: choice }
  return choice === 'skip' ? { action: 'skip' } : { action: 'deny', reason: 'by the user' }
}
