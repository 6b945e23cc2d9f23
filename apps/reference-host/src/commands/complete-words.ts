import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { sanitizeTerminalLine } from '@toolblocks/renderer'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { EXIT } from '../exit-codes.ts'
import type { CommandContext } from './command-context.ts'

const OWN = { completionCommandName: 'completion' }

/** `toolblocks completion SHELL`: a script for the shell, which asks `toolblocks complete` for words. */
export function printCompletion(program: Command, shell: 'bash' | 'zsh' | 'fish'): number {
  tab(program, OWN).setup('toolblocks', 'toolblocks', shell)
  return EXIT.ok
}

/** `toolblocks complete -- WORDS`: what the last word may become. */
export function completeWords(
  program: Command,
  words: readonly string[],
  { folder }: CommandContext,
): number {
  const root = tab(program, OWN)
  root.commands.get('call')?.argument('name', (complete) => {
    for (const { name, summary } of findTools(folder)) complete(name, summary)
  })
  root.parse([...words])
  return EXIT.ok
}

/** Tools of the nearest configuration, of which none is started; names that a terminal or the shell could take for more are left out. */
function findTools(folder: string): readonly { name: string; summary: string }[] {
  const loaded = loadConfiguration(folder)
  if (!loaded.ok) return []
  const { tools, mcp } = loaded.configuration
  return Object.entries({ ...tools, ...mcp.tools })
    .filter(([name]) => /^[\w.:-]+$/.test(name))
    .map(([name, { summary = '' }]) => ({ name, summary: sanitizeTerminalLine(summary) }))
}
