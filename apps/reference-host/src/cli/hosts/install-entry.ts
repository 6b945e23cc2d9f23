import { getErrorText } from '@toolblocks/protocol/internal'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { renderTerminal } from '@toolblocks/renderer'
import { EXIT } from '../../process/exit-codes.ts'
import { confirm } from '../../terminal/ask/confirm.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { findRealPath } from '../../workspace/files/real-path.ts'
import { writeInOneStep } from '../../workspace/files/write-file.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { getFileLock, LockHeld, withLock } from '../../workspace/locks/with-lock.ts'
import { addHostEntry, type HostEntry, readHostText } from './host-file.ts'
import { getUserPlaces, type HostName, MCP_HOSTS } from './mcp-hosts.ts'

/** Writes the entry into the host's file, after a person has seen the change and agreed. */
export async function installEntry(
  context: CommandContext,
  entry: HostEntry,
  { host, yes = false }: { host: HostName; yes?: boolean },
): Promise<number> {
  const { terminal } = context
  const { title, file: findFile } = MCP_HOSTS[host]
  const named = findFile(getUserPlaces())
  // If the file is a symbolic link, its target is written.
  const file = findRealPath(named) ?? named
  const refuse = (message: string): number => {
    terminal.report('error', `${file}: ${message}; nothing was written`)
    return EXIT.usage
  }
  try {
    const before = read(file)
    const firstDraft = addHostEntry(host, before, entry)
    if (!firstDraft.ok) return refuse(firstDraft.message)
    if (
      !firstDraft.isThere &&
      !yes &&
      !(await confirmChange(context, { title, file, before, after: firstDraft.text }))
    )
      return context.signal.aborted ? EXIT.cancelled : EXIT.denied
    // The host or another process may have written the file in the meantime.
    const added = await withLock(getFileLock(file), waitAtTerminal(context), () => {
      const current = addHostEntry(host, read(file), entry)
      if (current.ok && !current.isThere) write(file, current.text)
      return current
    })
    if (!added.ok) return refuse(added.message)
    if (added.isThere) {
      terminal.print(terminal.sanitize(`${title} has ${entry.name} already, in ${file}.`))
      return EXIT.ok
    }
    terminal.print(
      terminal.sanitize(
        `Wrote ${entry.name} to ${file}. ${title} starts the server the next time ${title} starts.`,
      ),
    )
    return EXIT.ok
  } catch (error) {
    if (context.signal.aborted || error instanceof LockHeld) throw error
    return refuse(getErrorText(error))
  }
}

function read(file: string): string {
  return existsSync(file) ? readHostText(file) : ''
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeInOneStep({ path: file }, text, {
    mode: existsSync(file) ? statSync(file).mode & 0o777 : 0o600,
  })
}

async function confirmChange(
  context: Pick<CommandContext, 'terminal' | 'signal' | 'interrupt'>,
  change: { title: string; file: string; before: string; after: string },
): Promise<boolean> {
  const { terminal } = context
  const { title, file, before, after } = change
  const { colors, columns } = terminal
  const data = { path: file, original: before, modified: after, isNew: before === '' }
  const material = renderTerminal(
    { content: [], structuredContent: { kind: 'diff', data }, isError: false },
    { colors, columns, maxLines: Infinity },
  )
  if (!terminal.isInteractive) {
    terminal.note(material)
    terminal.report(
      'error',
      `${file} can be changed only at a terminal or with --yes; nothing was written`,
    )
    return false
  }
  const question = terminal.style.plain(`Write this into the file of ${title}?`)
  return await confirm(context, { material, question })
}
