import { importedFields, type StoredEvent } from '@toolblocks/conversation-store'
import { field, textOf } from '@toolblocks/protocol'

/** One line for a message that a program wrote in the place of a person: the command that was typed, else what the program calls it. */
export function describeProgramMessage(event: StoredEvent['event']): string {
  const content = event.type === 'user_message' ? event.content : []
  const text = content.map((block) => textOf(block) ?? '').join('\n')
  const command = elementIn(text, 'command-name')
  if (command !== undefined)
    return [command, elementIn(text, 'command-args') ?? ''].join(' ').trim()
  const typed = elementIn(text, 'bash-input')
  if (typed !== undefined) return `! ${typed}`
  if (text.trimStart().startsWith('[Request interrupted by user')) return 'stopped by the person'
  if (text.trimStart().startsWith('# AGENTS.md instructions')) return 'instructions of the folder'
  const fields = importedFields(event)
  if (field(fields, 'isCompactSummary') === true) return 'summary of what was said before'
  if (field(fields, 'isSidechain') === true) return 'task for an agent'
  const [, name] = /^\s*<([a-z]{1,40}(?:[-_][a-z]{1,40}){1,5})>/.exec(text) ?? []
  return name === undefined ? 'note of the program' : name.replaceAll(/[-_]/g, ' ')
}

/** The text of the first element of a name, on one line. */
function elementIn(text: string, name: string): string | undefined {
  const start = text.indexOf(`<${name}>`)
  const end = text.indexOf(`</${name}>`, start)
  if (start === -1 || end === -1) return undefined
  return text
    .slice(start + name.length + 2, end)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
