import type { Answer, TerminalText } from '@toolblocks/protocol'
import { type QuestionTerminal, ask } from './open-prompt.ts'
import { promptYesOrNo } from './choice-prompt.ts'
import { show } from './prompts.ts'
import { renderWhole, terminalText } from './words.ts'

/**
 * Shows a web address in full and asks whether the person will visit it: yes is `accept` with `true`, no declines. Nothing is fetched or opened. An
 * address that hides its target is declined and not shown.
 */
export async function askAddress(
  { label, address }: { label: TerminalText; address: string },
  terminal: QuestionTerminal,
): Promise<Answer> {
  const { output, renderLine } = terminal
  const read = readAddress(address)
  if (!read.ok) {
    show.error(terminalText`The address to visit was refused: ${renderLine(read.problem)}.`, output)
    return { action: 'decline' }
  }
  const host = renderWhole(read.host, renderLine)
  show.text([label, terminalText`Host: ${host}`, renderWhole(read.href, renderLine)], output)
  if (read.transport === 'plain')
    show.warning(
      terminalText`Not encrypted: fine only for a program you run on this machine.`,
      output,
    )
  const asked = await ask(terminal, {
    show: async (io) =>
      await promptYesOrNo(io, {
        label: terminalText`Do you want to visit this page? Nothing is opened for you.`,
        initial: false,
      }),
  })
  if (asked.kind === 'end') return asked.answer
  return asked.kind === 'value' && asked.value
    ? { action: 'accept', value: true }
    : { action: 'decline' }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Reads an address from a tool or server: https, or http on this machine, without user name or password. */
export function readAddress(text: string): ReadAddress {
  if (!URL.canParse(text)) return { ok: false, problem: 'it is not a web address' }
  const { protocol, hostname, host, href, username, password } = new URL(text)
  if (username !== '' || password !== '')
    return { ok: false, problem: 'it has a user name, which can imitate the host' }
  if (protocol === 'https:') return { ok: true, href, host, transport: 'encrypted' }
  if (protocol === 'http:' && LOOPBACK.test(hostname))
    return { ok: true, href, host, transport: 'plain' }
  return {
    ok: false,
    problem: 'only https addresses are shown, and http addresses of this machine',
  }
}

/** A safe address, or the reason why it is refused. */
type ReadAddress =
  | {
      ok: true
      /** The address in ASCII, so that no letter imitates another. */
      href: string
      /** The host name in ASCII; other letters are in Punycode. */
      host: string
      transport: 'encrypted' | 'plain'
    }
  | { ok: false; problem: string }
