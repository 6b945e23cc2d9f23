import { existsSync, mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { renderTerminal } from '@toolblocks/renderer'
import type { CommandContext } from '../../commands/command-context.ts'
import { EXIT } from '../../exit-codes.ts'
import { readRegularFile } from '../../files/read-regular-file.ts'
import { findRealPath } from '../../files/real-path.ts'
import { writeInOneStep } from '../../files/write-in-one-step.ts'
import type { HostEntry } from '../host-entry.ts'
import { HOST_FILES } from './host-files.ts'
import type { HostName } from './host-names.ts'

/** Hosts keep far more than servers in these files. */
const MAX_HOST_FILE_BYTES = 16 * 1024 * 1024

/** Writes the entry into the host's file, after a person has seen the change and agreed to it. */
export async function installEntry(
  context: CommandContext,
  entry: HostEntry,
  { host, yes = false }: { host: HostName; yes?: boolean },
): Promise<number> {
  const { terminal } = context
  const { title, file: fileOf, add } = HOST_FILES[host]
  const places = { home: homedir(), platform: process.platform, environment: process.env }
  const named = fileOf(places)
  // Behind a link, what it leads to is written.
  const file = findRealPath(named) ?? named
  const refuse = (message: string): number => {
    terminal.complain('error', `${file}: ${message}; nothing was written`)
    return EXIT.usage
  }
  try {
    const before = existsSync(file) ? readRegularFile(file, MAX_HOST_FILE_BYTES) : ''
    const added = add(before, entry)
    if (!added.ok) return refuse(added.message)
    if (added.isThere) {
      terminal.print(terminal.sanitize(`${title} has ${entry.name} already, in ${file}.`))
      return EXIT.ok
    }
    if (!(yes || (await agrees(context, { title, file, before, after: added.text }))))
      return context.signal.aborted ? EXIT.cancelled : EXIT.denied
    mkdirSync(dirname(file), { recursive: true })
    writeInOneStep(file, added.text, {
      mode: existsSync(file) ? statSync(file).mode & 0o777 : 0o600,
    })
    terminal.print(
      terminal.sanitize(
        `Wrote ${entry.name} to ${file}. ${title} starts it the next time it starts.`,
      ),
    )
    return EXIT.ok
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

async function agrees(
  { terminal, signal, interrupt }: CommandContext,
  change: { title: string; file: string; before: string; after: string },
): Promise<boolean> {
  const { title, file, before, after } = change
  const { colors, columns } = terminal
  const data = { path: file, original: before, modified: after, isNew: before === '' }
  const material = renderTerminal(
    { content: [], structuredContent: { kind: 'diff', data }, isError: false },
    { colors, columns, maxLines: Infinity },
  )
  if (!terminal.isInteractive) {
    terminal.note(material)
    terminal.complain(
      'error',
      `${file} is written with --yes, or at a terminal; nothing was written`,
    )
    return false
  }
  const { confirmAtTerminal } = await import('@toolblocks/inquiry/terminal')
  const answer = await confirmAtTerminal({
    material,
    question: terminal.style.plain(`Write this into the file of ${title}?`),
    signal,
    onInterrupt: interrupt,
  })
  return answer.action === 'accept' && answer.value === true
}
