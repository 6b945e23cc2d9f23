import { formatCount } from './count-words.ts'
import {
  type ConversationPlace,
  type PlaceEnvironment,
  listConversationPlaces,
} from '@toolblocks/session-import'
import type { FormatName } from '@toolblocks/conversation-store'
import { formatByteSize } from '@toolblocks/protocol/internal'
import { existsSync } from 'node:fs'
import type { CommandContext } from '../../terminal/command-context.ts'
import { type ImportPlan, planImport } from './plan-import.ts'

/** A place on this machine that holds conversations. */
interface DiscoveredPlace {
  path: string
  plan: ImportPlan
  conversations: number
  bytes: number
}

/** Searches the known places on this machine for conversations of other programs. Throws when the signal aborts. */
export async function discover(
  machine: PlaceEnvironment,
  { from, signal }: { from?: FormatName | undefined; signal: AbortSignal },
): Promise<readonly DiscoveredPlace[]> {
  const places = listConversationPlaces(machine).filter(
    ({ path, formats }) => existsSync(path) && (from === undefined || formats.includes(from)),
  )
  const discovered: DiscoveredPlace[] = []
  for (const location of places) discovered.push(await look(location, signal))
  return discovered.filter(({ conversations }) => conversations > 0)
}

/** Other files in these places are ignored. */
async function look(
  { path, formats }: ConversationPlace,
  signal: AbortSignal,
): Promise<DiscoveredPlace> {
  const { files, unread } = await planImport([path], { signal })
  const own = files.filter(({ format }) => formats.includes(format))
  return {
    path,
    plan: { files: own, unread, passedOver: 0 },
    conversations: own.reduce((sum, file) => sum + file.conversations.length, 0),
    bytes: own.reduce((sum, file) => sum + file.bytes, 0),
  }
}

/** Describes a place for the list and the choice. */
export function describePlace({ path, plan, conversations, bytes }: DiscoveredPlace): string {
  const formats = [...new Set(plan.files.map(({ format }) => format))].join(', ')
  return `${formats}: ${formatCount(conversations, 'conversation')}, ${formatByteSize(bytes)} in ${path}`
}

/** Joins the plans of some places. */
export function joinPlans(places: readonly DiscoveredPlace[]): ImportPlan {
  return {
    files: places.flatMap(({ plan }) => plan.files),
    unread: places.flatMap(({ plan }) => plan.unread),
    passedOver: 0,
  }
}

/** Asks the person at the terminal which places to import. Returns `undefined` if no person is available, or the person cancels. */
export async function choosePlaces(
  places: readonly DiscoveredPlace[],
  { terminal, signal, interrupt, folder }: CommandContext,
): Promise<readonly DiscoveredPlace[] | undefined> {
  if (!terminal.isInteractive || places.length === 0) return undefined
  const { createPerson } = await import('../../terminal/ask/create-person.ts')
  const person = createPerson(terminal, { root: folder, interrupt })
  const names = places.map(describePlace)
  const answer = await person?.(
    {
      id: 'places',
      text: 'Which of these do you want to import?',
      schema: { type: 'array', items: { type: 'string', enum: names } },
    },
    {
      blocks: [],
      signal,
      source: { kind: 'question', call: { id: 'import', name: 'import', arguments: {} } },
    },
  )
  if (answer?.action !== 'accept' || !Array.isArray(answer.value)) return undefined
  const chosen = new Set<unknown>(answer.value)
  return places.filter((_, index) => chosen.has(names[index]))
}
