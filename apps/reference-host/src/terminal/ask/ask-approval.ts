import { type ConfirmationOptions, chooseAtTerminal } from '@toolblocks/inquiry/terminal'
import type { Approval, TerminalText, ToolCall, ToolResult } from '@toolblocks/protocol'
import {
  joinTerminal,
  renderArguments,
  renderTerminal,
  sanitizeTerminalLine,
} from '@toolblocks/renderer'
import type { ApproveCall } from '@toolblocks/tool-executor'
import type { Terminal } from '../terminal.ts'
import type { PersonOptions } from './create-person.ts'

/** Creates the approval by a person at the terminal, yes or no. `undefined` without a person, which denies the call. */
export function createApproval(
  terminal: Terminal,
  { root, interrupt }: Pick<PersonOptions, 'root' | 'interrupt'>,
): ApproveCall | undefined {
  const { person } = terminal
  if (!person) return undefined
  return async (call, { formatted, signal }) => {
    const material = previewArguments(call, formatted, {
      colors: person.colors,
      columns: person.columns,
      root,
    })
    const { input, output } = person
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
    question: joinTerminal(['Run ', name, '?'].map((part) => sanitizeTerminalLine(part))),
    choices: [
      { value: 'yes', label: sanitizeTerminalLine('Yes') },
      { value: 'no', label: sanitizeTerminalLine('No') },
    ],
    initial: 'no',
    layout: 'row',
    reasonFor: { value: 'no', label: DENY_WITH_REASON },
  })
  if (!chosen) return { decision: 'cancelled' }
  return chosen.value === 'yes'
    ? { decision: 'allowed' }
    : { decision: 'denied', reason: describeDenial(chosen.reason) }
}

/** The offer to use a typed sentence as the reason of a denial. */
export const DENY_WITH_REASON = sanitizeTerminalLine('No, and tell the model this reason')

/** The reason of a denial at a prompt, as the model reads it. */
export function describeDenial(reason: string | undefined): string {
  return reason === undefined ? 'by the user' : `by the user: ${reason}`
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
