import type { AskApproval, LastingApproval } from '../../terminal/share-screen.ts'
import { createEditorAnswers } from '@toolblocks/inquiry/editor'
import { type ChoiceOptions, chooseAtTerminal } from '@toolblocks/inquiry/terminal'
import {
  type JsonObject,
  type TerminalText,
  type ToolCall,
  isJsonObject,
} from '@toolblocks/protocol'
import { isJsonValue } from '@toolblocks/protocol/internal'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { PersonOptions } from '../../terminal/ask/create-person.ts'
import {
  DENY_WITH_REASON,
  describeDenial,
  previewArguments,
} from '../../terminal/ask/ask-approval.ts'
import { startOwnProgram } from '../../process/own-program.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** In the order of the list. The first one is preselected and denies the call. */
const CHOICES = [
  { value: 'no', label: sanitizeTerminalLine('No: the model is told that you denied it') },
  { value: 'once', label: sanitizeTerminalLine('Run it'), typed: ['yes'] },
  { value: 'edit', label: sanitizeTerminalLine('Edit the arguments and review them again') },
  {
    value: 'conversation',
    label: sanitizeTerminalLine('Run it, and do not ask again in this conversation'),
  },
  { value: 'always', label: sanitizeTerminalLine('Run it, and never ask again') },
] as const satisfies ChoiceOptions<string>['choices']

type Decided = Exclude<(typeof CHOICES)[number]['value'], 'edit'>

/** Creates the approval by a person at the terminal: whether a call may run, and how long that is valid. `undefined` without a person. */
export function createLastingApproval(
  terminal: Terminal,
  { root, interrupt }: Pick<PersonOptions, 'root' | 'interrupt'>,
): AskApproval | undefined {
  const { person } = terminal
  if (!person) return undefined
  return async (toolCall, { formatted, signal, ...asked }) => {
    const { agents = [], entry } = asked
    let changed: JsonObject | undefined
    for (;;) {
      const { colors, columns, input, output } = person
      const call = changed ? { ...toolCall, arguments: changed } : toolCall
      // The tool formatted the original arguments, not those that the person has edited.
      const preview = previewArguments(call, changed ? undefined : formatted, {
        colors,
        columns,
        root,
      })
      const state = changed ? 'changed' : 'as called'
      const chosen = await chooseAtTerminal({
        material: joinTerminal(
          [describeRequest(toolCall, { ...asked, state }, terminal), preview],
          '\n',
        ),
        question: joinTerminal(
          [...agents.map((agent) => `Agent ${agent}: `), 'Run ', toolCall.name, '?'].map((part) =>
            sanitizeTerminalLine(part),
          ),
        ),
        choices: CHOICES,
        initial: 'no',
        reasonFor: { value: 'no', label: DENY_WITH_REASON },
        signal,
        onInterrupt: interrupt,
        input,
        output,
      })
      const { value: choice, reason } = chosen ?? {}
      if (choice !== 'edit') return toApproval(choice, { changed, reason })
      const edited = await editArguments(call, entry, signal)
      if (signal.aborted) return { decision: 'cancelled' }
      if (edited) changed = edited
      else terminal.note(terminal.style.dim('The arguments were not changed.'))
    }
  }
}

/** Formats the heading of an approval: the call, who made it, and how many more wait. */
function describeRequest(
  { name }: ToolCall,
  {
    agents = [],
    position,
    state,
  }: Pick<ApprovalQuestion, 'agents' | 'position'> & { state: 'changed' | 'as called' },
  { style }: Terminal,
): TerminalText {
  const facts = [
    ...agents.map((agent) => `agent ${agent}`),
    ...(position ? [`${position.number} of ${position.of}`] : []),
    ...(state === 'changed' ? ['with the arguments as you changed them'] : []),
  ]
  return joinTerminal(
    [
      style.yellow('▸'),
      style.bold(name),
      style.plain('needs your approval'),
      ...facts.map((fact) => style.dim(`· ${fact}`)),
    ],
    ' ',
  )
}

type ApprovalQuestion = Parameters<AskApproval>[1]

/** Lets a person edit the arguments until they fit the tool. `undefined` if the person saves nothing. */
async function editArguments(
  call: ToolCall,
  { tool }: ToolEntry,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const { inputSchema: schema, name } = tool
  const values = isJsonValue(call.arguments) ? call.arguments : {}
  const edit = createEditorAnswers({ startProgram: startOwnProgram })
  const edited = await edit(
    { id: 'arguments', text: `The arguments of ${name}`, schema, default: values },
    { blocks: [], source: { kind: 'question', call }, signal },
  )
  return edited.action === 'accept' && isJsonObject(edited.value) ? edited.value : undefined
}

function toApproval(
  choice: Decided | undefined,
  { changed, reason }: { changed: JsonObject | undefined; reason: string | undefined },
): LastingApproval {
  const allowed = { decision: 'allowed' as const, ...(changed && { arguments: changed }) }
  switch (choice) {
    case 'once':
      return allowed
    case 'conversation':
    case 'always':
      return { ...allowed, remember: choice }
    case 'no':
      return { decision: 'denied', reason: describeDenial(reason) }
    case undefined:
      return { decision: 'cancelled' }
  }
}
