import { confirm, log } from '@clack/prompts'
import type { Answer } from '@toolblocks/protocol'
import { ask } from './ask.ts'
import { readAddress } from './read-address.ts'
import type { Terminal } from './terminal.ts'

/**
 * Shows a web address in full and asks whether the person will visit it: yes is `accept` with `true`, no declines. Nothing
 * is fetched or opened. An address that hides where it leads is declined and not shown.
 */
export async function askAddress(
  { label, address }: { label: string; address: string },
  terminal: Terminal,
): Promise<Answer> {
  const read = readAddress(address)
  if (!read.ok) {
    log.error(`The address to visit was refused: ${read.problem}.`, terminal)
    return { action: 'decline' }
  }
  log.message([label, `Host: ${read.host}`, read.href], terminal)
  if (read.transport === 'plain')
    log.warn('Not encrypted: fine only for a program you run on this machine.', terminal)
  const asked = await ask(terminal, {
    show: async (io) =>
      await confirm({
        ...io,
        message: 'Do you want to visit this page? Nothing is opened for you.',
        initialValue: false,
      }),
  })
  if (asked.kind === 'end') return asked.answer
  return asked.kind === 'value' && asked.value
    ? { action: 'accept', value: true }
    : { action: 'decline' }
}
