import { delimiter, dirname } from 'node:path'
import { isJsonObject } from '@toolblocks/protocol'
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
import { createWants, type Want, type Wants } from './wants.ts'
import type { WantedPart } from './want-sources.ts'

/** What this user has decided about the wants of folders. A want without a decision has no effect. */
export interface Decisions {
  /** Returns the wants that the user has not agreed to in this folder. */
  findNew(folder: string, wants: readonly Want[]): readonly Want[]
  /** Returns the path of the program that a part started when the user agreed to it last. Only for messages. */
  findProgram(folder: string, part: WantedPart): string | undefined
  /** Adds wants to those agreed to before. Rejects if the file cannot be written. */
  agree(folder: string, wants: readonly Want[]): Promise<void>
  /** Removes all decisions about a folder and returns whether there were any. Rejects if the file cannot be written. */
  revoke(folder: string): Promise<boolean>
}

/** Opens the file of decisions. A file that cannot be read counts as empty. Wants are stored as hashes, and the paths of their programs for messages. */
export function openDecisions(file: string, wait: LockWait = {}): Decisions {
  const change = async (folder: string, edit: (decided: DecidedFolder) => DecidedFolder) =>
    await changeOwnJson(file, wait, () => {
      const { folders, programs } = readDecided(file)
      const { hashes, programs: paths } = edit({
        hashes: folders[folder] ?? [],
        programs: programs[folder] ?? {},
      })
      return {
        folders: withEntry(folders, folder, hashes.length > 0 ? hashes : undefined),
        programs: withEntry(programs, folder, Object.keys(paths).length > 0 ? paths : undefined),
      }
    })
  return {
    findNew(folder, wants) {
      const known = Map.groupBy(
        (readDecided(file).folders[folder] ?? []).map((agreement) => agreement.split(' ')),
        ([hash]) => hash,
      )
      // A want may not have lost a limit that it had when the user agreed.
      return wants.filter(
        ({ hash, limits = [] }) =>
          !known.get(hash)?.some(([, ...kept]) => kept.every((limit) => limits.includes(limit))),
      )
    },
    findProgram(folder, part) {
      const { [folder]: programs = {} } = readDecided(file).programs
      return Object.hasOwn(programs, part) ? programs[part] : undefined
    },
    async agree(folder, wants) {
      if (wants.length === 0) return
      await change(folder, ({ hashes, programs }) => ({
        hashes: [...new Set([...hashes, ...wants.map(writeAgreement)])].toSorted(),
        programs: {
          ...programs,
          ...Object.fromEntries(
            wants.flatMap(({ part, program }) => (program === undefined ? [] : [[part, program]])),
          ),
        },
      }))
    },
    async revoke(folder) {
      if (readDecided(file).folders[folder] === undefined) return false
      await change(folder, () => ({ hashes: [], programs: {} }))
      return true
    },
  }
}

/** Writes a want that the user has agreed to: its hash, and those of its limits. */
function writeAgreement({ hash, limits = [] }: Want): string {
  return [hash, ...limits].join(' ')
}

interface DecidedFolder {
  /** The agreements of the user: the hashes of wants, each with those of its limits. */
  hashes: readonly string[]
  /** The paths of programs, by part. */
  programs: Readonly<Record<string, string>>
}

interface DecidedFolders {
  folders: Readonly<Record<string, readonly string[]>>
  programs: Readonly<Record<string, Readonly<Record<string, string>>>>
}

function readDecided(file: string): DecidedFolders {
  try {
    const { folders, programs } = JSON.parse(readRegularFile(file, MAX_OWN_BYTES))
    return {
      folders: pickEntries(
        folders,
        (value): value is string[] =>
          Array.isArray(value) && value.every((each) => typeof each === 'string'),
      ),
      programs: pickEntries(
        programs,
        (value): value is Record<string, string> =>
          isJsonObject(value) && Object.values(value).every((path) => typeof path === 'string'),
      ),
    }
  } catch {
    return { folders: {}, programs: {} }
  }
}

function pickEntries<Value>(
  entries: unknown,
  is: (value: unknown) => value is Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(Object(entries)).filter((entry): entry is [string, Value] => is(entry[1])),
  )
}

function withEntry<Value>(
  entries: Readonly<Record<string, Value>>,
  name: string,
  value: Value | undefined,
): Readonly<Record<string, Value>> {
  const { [name]: _earlier, ...others } = entries
  return value === undefined ? others : { ...others, [name]: value }
}

/** A program that a part starts here, and the one that the user agreed to. */
export interface OtherProgram {
  /** The path of the program that the user agreed to. */
  agreed: string
  /** The path here. Absent: there is no such program here. */
  here?: string
}

/** What the files of one folder want, and what this user has decided about it. */
export interface FolderDecisions {
  wants: Wants
  /** Returns the wants that the user has not agreed to. */
  findNew(wants: readonly Want[]): readonly Want[]
  /** Finds out whether a part waits only because its command starts another program here than where the user agreed, because `PATH` differs. */
  findOtherProgram(part: WantedPart): OtherProgram | undefined
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
  async function agree(agreed: readonly Want[]): Promise<void> {
    try {
      await decisions.agree(folder, agreed)
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error
      terminal.report('warning', `your agreement cannot be stored: ${getErrorText(error)}`)
    }
  }
  const wants = createWants({ configuration, servers, environment: process.env })
  return {
    wants,
    findNew: (some) => decisions.findNew(folder, some),
    findOtherProgram(part) {
      const agreed = decisions.findProgram(folder, part)
      const here = wants.of(part).find(({ program }) => program !== undefined)?.program
      if (agreed === undefined || agreed === here) return undefined
      const PATH = [dirname(agreed), process.env['PATH'] ?? ''].join(delimiter)
      const there = createWants({ configuration, servers, environment: { ...process.env, PATH } })
      if (decisions.findNew(folder, there.of(part)).length > 0) return undefined
      return { agreed, ...(here !== undefined && { here }) }
    },
    ask: async ({ wants: asked, isNew }) => {
      if (signal.aborted) return false
      const title = isNew ? `${root} wants to` : `New in ${root}: it wants to`
      const isYes = await confirm(context, {
        material: describeWants(title, asked, terminal),
        question: terminal.style.plain('Do you agree to this?'),
      })
      if (isYes) await agree(asked)
      else terminal.note(terminal.style.plain('Nothing was agreed to.'))
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
