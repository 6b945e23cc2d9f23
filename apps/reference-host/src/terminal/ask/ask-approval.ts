import { createEditorAnswers } from '@toolblocks/inquiry/editor'
import {
  type ChoiceOptions,
  type ConfirmationOptions,
  chooseAtTerminal,
} from '@toolblocks/inquiry/terminal'
import {
  type Approval,
  type JsonObject,
  type TerminalText,
  type ToolCall,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { isJsonValue } from '@toolblocks/protocol/internal'
import {
  joinTerminal,
  renderArguments,
  renderTerminal,
  sanitizeTerminalLine,
} from '@toolblocks/renderer'
import type { ApproveCall, ToolEntry } from '@toolblocks/tool-executor'
import { startOwnProgram } from '../../process/own-program.ts'
import type { ApprovalWithRule, AskApproval } from '../share-screen.ts'
import type { Terminal } from '../terminal.ts'
import type { PersonOptions } from './create-person.ts'

/** Creates the approval by a person at the terminal, yes or no. `undefined` without a person, which denies the call. */
export function createApproval(
  { person }: Pick<Terminal, 'person'>,
  { root, interrupt }: Pick<PersonOptions, 'root' | 'interrupt'>,
): ApproveCall | undefined {
  if (!person) return undefined
  return async (call, { formatted, signal }) => {
    const { colors, columns, input, output } = person
    const material = previewArguments(call, formatted, { colors, columns, root })
    return await askWhetherToRun(call, { material, signal, onInterrupt: interrupt, input, output })
  }
}

/** Asks whether a call may run: yes, no, or no with a typed reason, which the model reads. */
export async function askWhetherToRun(
  { name }: ToolCall,
  options: Pick<ConfirmationOptions, 'material' | 'signal' | 'onInterrupt' | 'input' | 'output'>,
): Promise<Extract<Approval, { decision: 'allowed' | 'denied' | 'cancelled' }>> {
  const chosen = await chooseAtTerminal({
    ...options,
    question: askToRun(name),
    choices: [
      { value: 'yes', label: sanitizeTerminalLine('Yes') },
      { value: 'no', label: sanitizeTerminalLine('No') },
    ],
    initial: 'no',
    layout: 'row',
    reasonFor: DENY_WITH_REASON,
  })
  if (!chosen) return { decision: 'cancelled' }
  return chosen.value === 'yes' ? { decision: 'allowed' } : toDenial(chosen.reason)
}

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

/**
 * Creates the approval by a person at the terminal, who can also edit the arguments and make a rule for later calls. `undefined` without a
 * person.
 */
export function createApprovalWithRule(
  terminal: Terminal,
  { root, interrupt }: Pick<PersonOptions, 'root' | 'interrupt'>,
): AskApproval | undefined {
  const { person } = terminal
  if (!person) return undefined
  return async (toolCall, { formatted, signal, entry, agents = [], position, verdict }) => {
    let changed: JsonObject | undefined
    for (;;) {
      const { colors, columns, input, output } = person
      const call = changed ? { ...toolCall, arguments: changed } : toolCall
      const facts = [
        ...agents.map((agent) => `agent ${agent}`),
        ...(verdict ? [`the rule ${verdict.rule} (${verdict.source}) asks`] : []),
        ...(position ? [`${position.number} of ${position.of}`] : []),
        ...(changed ? ['with the arguments as you changed them'] : []),
      ]
      // The tool formatted the original arguments, not those that the person has edited.
      const preview = previewArguments(call, changed ? undefined : formatted, {
        colors,
        columns,
        root,
      })
      const chosen = await chooseAtTerminal({
        material: joinTerminal([describeRequest(call, facts, terminal), preview], '\n'),
        question: askToRun(call.name, agents),
        // A rule that decides before the stored ones would ask again.
        choices: verdict && verdict.source !== 'stored' ? CHOICES.slice(0, 3) : CHOICES,
        initial: 'no',
        reasonFor: DENY_WITH_REASON,
        signal,
        onInterrupt: interrupt,
        input,
        output,
      })
      if (!chosen) return { decision: 'cancelled' }
      if (chosen.value === 'no') return toDenial(chosen.reason)
      if (chosen.value !== 'edit') return toAllowance(chosen.value, changed)
      const edited = await editArguments(call, entry, signal)
      if (signal.aborted) return { decision: 'cancelled' }
      if (edited) changed = edited
      else terminal.note(terminal.style.dim('The arguments were not changed.'))
    }
  }
}

function askToRun(name: string, agents: readonly string[] = []): TerminalText {
  const parts = [...agents.map((agent) => `Agent ${agent}: `), 'Run ', name, '?']
  return joinTerminal(parts.map((part) => sanitizeTerminalLine(part)))
}

/** Formats the heading of an approval: the call, who made it, and how many more wait. */
function describeRequest(
  { name }: ToolCall,
  facts: readonly string[],
  { style }: Terminal,
): TerminalText {
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

function toAllowance(
  choice: 'once' | 'conversation' | 'always',
  changed: JsonObject | undefined,
): ApprovalWithRule {
  return {
    decision: 'allowed',
    ...(changed && { arguments: changed }),
    ...(choice !== 'once' && { remember: choice }),
  }
}

/** The offer to use a typed sentence as the reason of a denial. */
const DENY_WITH_REASON = {
  value: 'no',
  label: sanitizeTerminalLine('No, and tell the model this reason'),
} as const

/** Creates the denial at a prompt, with the reason as the model reads it. */
function toDenial(reason: string | undefined): Extract<Approval, { decision: 'denied' }> {
  return {
    decision: 'denied',
    reason: reason === undefined ? 'by the user' : `by the user: ${reason}`,
  }
}

/**
 * Formats the arguments for an approval: the tool's own presentation, including hidden parts, and then the arguments themselves, which are what
 * runs. Nothing is cut.
 */
export function previewArguments(
  call: ToolCall,
  formatted: ToolResult | undefined,
  { colors, columns, root }: Pick<Terminal, 'colors' | 'columns'> & { root: string },
): TerminalText {
  const values = renderArguments(call.arguments, { colors, columns })
  if (!formatted) return values
  const options = { colors, columns, root, hiddenValues: 'show', maxLines: Infinity } as const
  return joinTerminal([renderTerminal(formatted, options), values], '\n\n')
}
