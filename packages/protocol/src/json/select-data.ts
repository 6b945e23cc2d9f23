import { splitPointer } from './json-pointer.ts'

/** In a path, every item of an array and every member of an object. */
const EVERY = '*'

/** Steps of one path. Deeper values are selected as a whole. */
const MAX_STEPS = 100

/** What is selected at a place and below it. */
interface Place {
  /** The paths that end here. Then the value is selected as a whole. */
  ends: string[]
  /** What is selected of one member or item, by its step. */
  steps: Map<string, Place>
  /** What is selected of every member and item. */
  every: Place | undefined
}

/** The selected parts of a value. */
export interface SelectedData {
  /** The value with only the selected parts; absent if no path has a value. */
  selected?: { value: unknown }
  /** The paths without a value, in their order. */
  unmatched: readonly string[]
}

/** Returns a path of data as a JSON Pointer (RFC 6901), whose first slash may be absent; `undefined` if it has too many steps. */
export function readDataPath(text: string): string | undefined {
  const path = text === '' || text.startsWith('/') ? text : `/${text}`
  return path.split('/').length - 1 > MAX_STEPS ? undefined : path
}

/**
 * Selects the parts of a JSON value at some paths: JSON Pointers whose step `*` is every item or member. Objects keep only the selected members.
 * Arrays keep only the selected items, in their order; but where a path has `*`, every item keeps its index, and one without a selected part is `{}`.
 * The time is linear in the value for each path.
 */
export function selectData(value: unknown, paths: readonly string[]): SelectedData {
  const root = createPlace()
  for (const path of paths) addPath(root, path)
  const matched = new Set<string>()
  const selected = selectAt(value, [root], matched)
  const unmatched = [...new Set(paths)].filter((path) => !matched.has(path))
  return { ...(selected && { selected }), unmatched }
}

function createPlace(): Place {
  return { ends: [], steps: new Map(), every: undefined }
}

function addPath(root: Place, path: string): void {
  let place = root
  for (const step of splitPointer(path)) {
    const next = (step === EVERY ? place.every : place.steps.get(step)) ?? createPlace()
    if (step === EVERY) place.every = next
    else place.steps.set(step, next)
    place = next
  }
  if (!place.ends.includes(path)) place.ends.push(path)
}

/** Selects what some places say about the same value. No deeper than the longest path. */
function selectAt(
  value: unknown,
  places: readonly Place[],
  matched: Set<string>,
): { value: unknown } | undefined {
  const ends = places.flatMap((place) => place.ends)
  for (const path of ends) matched.add(path)
  const inside = (step: string, child: unknown): { value: unknown } | undefined => {
    const next = places
      .flatMap(({ every, steps }) => [every, steps.get(step)])
      .filter((place) => place !== undefined)
    return next.length === 0 ? undefined : selectAt(child, next, matched)
  }
  const part = places.some(({ steps, every }) => every !== undefined || steps.size > 0)
    ? selectInside(value, places, { inside, matched })
    : undefined
  // The parts were selected, too, so that their paths count as matched.
  return ends.length > 0 ? { value } : part
}

type SelectChild = (step: string, child: unknown) => { value: unknown } | undefined

function selectInside(
  value: unknown,
  places: readonly Place[],
  { inside, matched }: { inside: SelectChild; matched: Set<string> },
): { value: unknown } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const every = places.flatMap((place) => place.every ?? [])
  if (every.length > 0 && Object.keys(value).length === 0) {
    // A list without items has all of them.
    for (const path of every.flatMap(listEnds)) matched.add(path)
    return { value }
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => inside(String(index), item))
    if (items.every((item) => item === undefined)) return undefined
    const rest = every.length > 0 ? [{}] : []
    return { value: items.flatMap((item) => (item ? [item.value] : rest)) }
  }
  const members = Object.entries(value).flatMap(([key, member]) => {
    const selected = inside(key, member)
    return selected ? [[key, selected.value] as const] : []
  })
  // Also a member named `__proto__` becomes an own one.
  return members.length === 0 ? undefined : { value: Object.fromEntries(members) }
}

/** Lists the paths that end at a place or below it. */
function listEnds({ ends, steps, every }: Place): readonly string[] {
  return [...ends, ...[...steps.values(), ...(every ? [every] : [])].flatMap(listEnds)]
}
