import type { Terminal } from '../terminal/terminal.ts'
import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { sanitizeTerminalLine } from '@toolblocks/renderer'
import { loadConfiguration } from '../workspace/configuration/load-configuration.ts'
import { EXIT } from '../process/exit-codes.ts'

const OWN = { completionCommandName: 'completion' }

/**
 * A substitute for the functions that the script for bash uses from the package bash-completion, which not every system has: it returns the words
 * as bash splits them.
 */
const WITHOUT_PACKAGE = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
    cur=\${COMP_WORDS[COMP_CWORD]}
    prev=\${COMP_WORDS[COMP_CWORD-1]}
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
}`

/** `toolblocks completion SHELL`: prints a script for the shell, which calls `toolblocks complete`. */
export function printCompletion(
  program: Command,
  shell: 'bash' | 'zsh' | 'fish',
  terminal: Terminal,
): number {
  if (shell === 'bash') terminal.print(terminal.sanitize(WITHOUT_PACKAGE))
  tab(program, OWN).setup('toolblocks', 'toolblocks', shell)
  return EXIT.ok
}

/** `toolblocks complete -- WORDS`: prints the completions of the last word. */
export async function completeWords(
  program: Command,
  args: readonly string[],
  folder: string,
): Promise<number> {
  const { tools, clients } = await findNames(folder)
  const root = tab(program, OWN)
  root.commands.get('call')?.argument('name', (complete) => {
    for (const { name, summary } of tools) complete(name, summary)
  })
  const list = root.commands.get('conversations list')
  const { description = '' } = list?.options.get('client') ?? {}
  list?.option('client', description, (complete) => {
    for (const name of clients) complete(name, '')
  })
  root.parse([...args])
  return EXIT.ok
}

/**
 * Finds the tools of the nearest configuration, without starting them, and the clients of its service. Names with characters that a terminal or
 * the shell could interpret are omitted.
 */
async function findNames(
  folder: string,
): Promise<{ tools: readonly { name: string; summary: string }[]; clients: readonly string[] }> {
  const loaded = await loadConfiguration(folder)
  if (!loaded.ok) return { tools: [], clients: [] }
  const { tools, mcp, serve } = loaded.configuration
  return {
    tools: Object.entries({ ...tools, ...mcp.tools })
      .filter(([name]) => isPlain(name))
      .map(([name, { summary = '' }]) => ({ name, summary: sanitizeTerminalLine(summary) })),
    clients: Object.keys(serve?.clients ?? {}).filter(isPlain),
  }
}

function isPlain(name: string): boolean {
  return /^[\w.:-]+$/.test(name)
}
