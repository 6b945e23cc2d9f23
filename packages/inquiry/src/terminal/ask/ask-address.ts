import type { Answer, TerminalText } from '@toolblocks/protocol'
import { ask } from './ask.ts'
import { promptYesOrNo, show } from '../prompts/prompts.ts'
import { readAddress } from './read-address.ts'
import { renderWhole } from '../prompts/render-whole.ts'
import type { QuestionTerminal } from '../question-terminal.ts'
import { words } from '../prompts/words.ts'

/**
 * Shows a web address in full and asks whether the person will visit it: yes is `accept` with `true`, no declines. Nothing
 * is fetched or opened. An address that hides where it leads is declined and not shown.
 */
export async function askAddress(
  { label, address }: { label: TerminalText; address: string },
  terminal: QuestionTerminal,
): Promise<Answer> {
  const { output, renderLine } = terminal
  const read = readAddress(address)
  if (!read.ok) {
    show.error(words`The address to visit was refused: ${renderLine(read.problem)}.`, output)
    return { action: 'decline' }
  }
  const host = renderWhole(read.host, renderLine)
  show.text([label, words`Host: ${host}`, renderWhole(read.href, renderLine)], output)
  if (read.transport === 'plain')
    show.warning(words`Not encrypted: fine only for a program you run on this machine.`, output)
  const asked = await ask(terminal, {
    show: async (io) =>
      await promptYesOrNo(io, {
        label: words`Do you want to visit this page? Nothing is opened for you.`,
        initial: false,
      }),
  })
  if (asked.kind === 'end') return asked.answer
  return asked.kind === 'value' && asked.value
    ? { action: 'accept', value: true }
    : { action: 'decline' }
}
