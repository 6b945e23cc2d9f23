import { getErrorText } from '@toolblocks/protocol/internal'
import { confirm } from '../../terminal/ask/confirm.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { settingsFile } from '../files/own-folders.ts'
import { MAX_OWN_BYTES, readRegularFile } from '../files/read-regular-file.ts'
import { findRealPath } from '../files/real-path.ts'
import { changeOwnJson } from '../locks/change-own-json.ts'
import { waitAtTerminal } from '../locks/wait-at-terminal.ts'
import type { LockWait } from '../locks/with-lock.ts'
import { readWrittenServers, type WrittenServer } from '../servers/written-servers.ts'
import { describeWants } from './describe-wants.ts'
import { createWants, type Want, type WantedPart, type Wants } from './wants.ts'

/** What this user has decided about the wants of folders. A want without a decision has no effect. */
export interface Decisions {
  /** Returns the wants that the user has not agreed to in this folder. */
  findNew(folder: string, wants: readonly Want[]): readonly Want[]
  /** Adds wants to those agreed to before. Rejects if the file cannot be written. */
  agree(folder: string, wants: readonly Want[]): Promise<void>
  /** Removes all decisions about a folder and returns whether there were any. Rejects if the file cannot be written. */
  revoke(folder: string): Promise<boolean>
}

/** Opens the file of decisions. A file that cannot be read counts as empty. Wants are stored as hashes. */
export function openDecisions(file: string, wait: LockWait = {}): Decisions {
  const change = async (edit: (folders: Folders) => Folders): Promise<void> =>
    await changeOwnJson(file, wait, () => ({ folders: edit(readFolders(file)) }))
  return {
    findNew(folder, wants) {
      const known = new Set(readFolders(file)[folder])
      return wants.filter(({ hash }) => !known.has(hash))
    },
    async agree(folder, wants) {
      if (wants.length === 0) return
      await change((folders) => {
        const hashes = new Set([...(folders[folder] ?? []), ...wants.map(({ hash }) => hash)])
        return { ...folders, [folder]: [...hashes].toSorted() }
      })
    },
    async revoke(folder) {
      if (readFolders(file)[folder] === undefined) return false
      await change(({ [folder]: _forgotten, ...others }) => others)
      return true
    },
  }
}

type Folders = Readonly<Record<string, readonly string[]>>

function readFolders(file: string): Folders {
  try {
    const { folders } = JSON.parse(readRegularFile(file, MAX_OWN_BYTES))
    const entries = Object.entries(Object(folders)).filter((entry): entry is [string, string[]] =>
      Array.isArray(entry[1]),
    )
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}

/** What the files of one folder want, and what this user has decided about it. */
export interface FolderDecisions {
  wants: Wants
  /** Returns the wants that the user has not agreed to. */
  findNew(wants: readonly Want[]): readonly Want[]
  /** Shows wants to the person at the terminal and asks whether the user agrees. `isNew`: the user has agreed to nothing in the folder before. */
  ask(asked: { wants: readonly Want[]; isNew: boolean }): Promise<boolean>
  /** Stores that the user agrees. If it cannot be written, it is valid for this run only. Rejects if the signal ends the wait for other processes. */
  agree(wants: readonly Want[]): Promise<void>
  /** Removes the decisions of the user and returns whether there were any. */
  revoke(): Promise<boolean>
}

/** Opens the decisions of this user about a folder. Every link to the folder has the same ones. */
export function openFolderDecisions(
  context: Pick<CommandContext, 'terminal' | 'signal' | 'interrupt'>,
  { configuration, servers }: { configuration: Configuration; servers: readonly WrittenServer[] },
): FolderDecisions {
  const { terminal, signal } = context
  const decisions = openDecisions(settingsFile('trust.json'), waitAtTerminal(context))
  const { root } = configuration
  const folder = findRealPath(root) ?? root
  async function agree(wants: readonly Want[]): Promise<void> {
    try {
      await decisions.agree(folder, wants)
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error
      terminal.report('warning', `your agreement cannot be stored: ${getErrorText(error)}`)
    }
  }
  return {
    wants: createWants({ configuration, servers, environment: process.env }),
    findNew: (wants) => decisions.findNew(folder, wants),
    ask: async ({ wants, isNew }) => {
      if (signal.aborted) return false
      const title = isNew ? `${root} wants to` : `New in ${root}: it wants to`
      const isYes = await confirm(context, {
        material: describeWants(title, wants, terminal),
        question: terminal.style.plain('Do you agree to this?'),
      })
      if (isYes) await agree(wants)
      return isYes
    },
    agree,
    revoke: async () => await decisions.revoke(folder),
  }
}

/** Agrees to the parts that a command has just written, and to nothing else in the folder. */
export async function agreeToWritten(
  context: CommandContext,
  configuration: Configuration,
  isWritten: (part: WantedPart) => boolean,
): Promise<void> {
  const { servers } = await readWrittenServers(configuration)
  const { wants, agree } = openFolderDecisions(context, { configuration, servers })
  await agree(wants.list().filter(({ part }) => isWritten(part)))
}
