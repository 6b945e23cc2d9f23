import type { CommandContext } from '../commands/command-context.ts'
import { describePlace, type DiscoveredPlace } from './discover.ts'

/** Asks the person at the terminal which places to import; `undefined` where nobody is there, or they turn away. */
export async function choosePlaces(
  places: readonly DiscoveredPlace[],
  { terminal, signal, interrupt, folder }: CommandContext,
): Promise<readonly DiscoveredPlace[] | undefined> {
  if (!terminal.isInteractive || places.length === 0) return undefined
  const { createPerson } = await import('../terminal/ask/create-person.ts')
  const person = createPerson(terminal, { root: folder, interrupt })
  const names = places.map(describePlace)
  const answer = await person?.(
    {
      id: 'places',
      text: 'Import which of them?',
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
