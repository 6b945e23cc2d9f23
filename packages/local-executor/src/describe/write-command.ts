import { quote } from 'shlex'
import { isWords, type LocalCommand } from '../local-tool-definition.ts'

/** A command as a person would type it. From outside: pass it through an encoder before it is shown. */
export function writeCommand(command: LocalCommand): string {
  if (typeof command === 'string') return command
  if (isWords(command)) return command.map(quoteWord).join(' ')
  const { program, args = [], shell = false } = command
  const words = shell ? ['sh', '-c', program, 'sh', ...args] : [program, ...args]
  return words.map(quoteWord).join(' ')
}

/** Placeholders read better without quotes, and no shell sees them. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : quote(word)
}
