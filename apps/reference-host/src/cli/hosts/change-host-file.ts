import { getErrorText } from '@toolblocks/protocol/internal'
import { renderTerminal } from '@toolblocks/renderer'
import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { EXIT } from '../../process/exit-codes.ts'
import { confirm } from '../../terminal/ask/confirm.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { findRealPath } from '../../workspace/files/real-path.ts'
import { writeInOneStep } from '../../workspace/files/write-file.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { getFileLock, LockHeld, withLock } from '../../workspace/locks/with-lock.ts'
import {
  changeHostText,
  type HostChange,
  type HostServer,
  layOutHostText,
  readHostServers,
  readHostText,
} from './host-file.ts'
import { maskHostText } from './mask-host-text.ts'
import { getUserPlaces, type HostName, MCP_HOSTS } from './mcp-hosts.ts'

/** What a command makes of the servers of a host's file. */
export type HostPlan =
  | { kind: 'unchanged'; message: string }
  | { kind: 'refused'; message: string }
  | {
      kind: 'changed'
      changes: readonly HostChange[]
      /** Runs before the file is written. */
      prepare?: () => Promise<void>
      /** Runs after the file was written. */
      finish?: () => Promise<void>
      /** What was done, for the person. */
      message: string
    }

/** Returns the file of a host. If it is a symbolic link, this is its target. */
export function findHostFile(host: HostName): string {
  const named = MCP_HOSTS[host].file(getUserPlaces())
  return findRealPath(named) ?? named
}

/** Changes a host's file, after a person has seen the change and agreed. */
export async function changeHostFile(
  context: CommandContext,
  { host, yes = false }: { host: HostName; yes?: boolean },
  makePlan: (servers: readonly HostServer[], text: string) => HostPlan,
): Promise<number> {
  const { terminal } = context
  const file = findHostFile(host)
  const draft = (text: string): DraftedPlan => {
    const listed =
      text.trim() === '' ? { ok: true as const, servers: [] } : readHostServers(host, text)
    const plan: HostPlan = listed.ok
      ? makePlan(listed.servers, text)
      : { kind: 'refused', message: `${listed.message}; correct it first` }
    if (plan.kind !== 'changed') return plan
    const changed = changeHostText(host, text, plan.changes)
    return changed.ok
      ? { ...plan, text: changed.text }
      : { kind: 'refused', message: changed.message }
  }
  const end = (plan: Exclude<DraftedPlan, { kind: 'changed' }>): number => {
    if (plan.kind === 'refused') {
      terminal.report('error', `${file}: ${plan.message}; nothing was written`)
      return EXIT.usage
    }
    terminal.print(terminal.sanitize(plan.message))
    return EXIT.ok
  }
  try {
    const before = read(file)
    const first = draft(before)
    if (first.kind !== 'changed') return end(first)
    const question = describeQuestion(host, first.changes)
    const change = { question, file, before, after: first.text }
    if (!yes && !(await confirmChange(context, host, change)))
      return context.signal.aborted ? EXIT.cancelled : EXIT.denied
    // The host or another process may have written the file in the meantime.
    const done = await withLock(getFileLock(file), waitAtTerminal(context), async () => {
      const current = draft(read(file))
      if (current.kind !== 'changed') return current
      if (!isDeepStrictEqual(current.changes, first.changes))
        return {
          kind: 'refused' as const,
          message: 'its servers have changed meanwhile; try again',
        }
      await current.prepare?.()
      write(file, current.text)
      await current.finish?.()
      return current
    })
    if (done.kind !== 'changed') return end(done)
    terminal.print(terminal.sanitize(done.message))
    return EXIT.ok
  } catch (error) {
    if (context.signal.aborted || error instanceof LockHeld) throw error
    const message = error instanceof RangeError ? 'it is nested too deeply' : getErrorText(error)
    return end({ kind: 'refused', message })
  }
}

/** Asks for the removal of entries if nothing is written in their place. */
function describeQuestion(host: HostName, changes: readonly HostChange[]): string {
  const { title } = MCP_HOSTS[host]
  if (changes.some(({ entry }) => entry !== undefined))
    return `Write this into the file of ${title}?`
  return `Remove ${changes.length === 1 ? 'it' : 'them'} from the file of ${title}?`
}

type DraftedPlan =
  | Exclude<HostPlan, { kind: 'changed' }>
  | (Extract<HostPlan, { kind: 'changed' }> & { text: string })

function read(file: string): string {
  if (existsSync(file)) return readHostText(file)
  if (isCircle(file))
    throw new Error('it is a symbolic link, and its links lead in a circle; remove the link')
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(
      `it is a symbolic link to ${readlinkSync(file)}, which does not exist; create that file, or remove the link`,
    )
  return ''
}

/** Whether symbolic links lead back to a file. */
function isCircle(file: string): boolean {
  try {
    realpathSync(file)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ELOOP'
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeInOneStep({ path: file }, text, {
    mode: existsSync(file) ? statSync(file).mode & 0o777 : 0o600,
  })
}

async function confirmChange(
  context: Pick<CommandContext, 'terminal' | 'signal' | 'interrupt'>,
  host: HostName,
  change: { question: string; file: string; before: string; after: string },
): Promise<boolean> {
  const { terminal } = context
  const { question, file, before, after } = change
  const { colors, columns } = terminal
  const data = {
    path: file,
    original: layOutHostText(host, maskHostText(host, before)),
    modified: layOutHostText(host, maskHostText(host, after)),
    isNew: before === '',
  }
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
  const isAgreed = await confirm(context, { material, question: terminal.style.plain(question) })
  if (!isAgreed) terminal.note(terminal.style.plain('Nothing was written.'))
  return isAgreed
}
