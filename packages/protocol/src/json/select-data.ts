import { splitPointer } from './json-pointer.ts'

/** In a path, every item of an array and every member of an object. */
const EVERY = '*'

/** Steps of one path. Deeper values are selected as a whole. */
const MAX_STEPS = 100

/** What is selected at a place of a value and below it. */
interface PathNode {
  /** The paths that end here. Then the value is selected as a whole. */
  ends: string[]
  /** What is selected of one member or item, by its step. */
  steps: Map<string, PathNode>
  /** What is selected of every member and item. */
  every: PathNode | undefined
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
  const root = createPathNode()
  for (const path of paths) addPath(root, path)
  const matched = new Set<string>()
  const selected = selectAt(value, [root], matched)
  const unmatched = [...new Set(paths)].filter((path) => !matched.has(path))
  return { ...(selected && { selected }), unmatched }
}

function createPathNode(): PathNode {
  return { ends: [], steps: new Map(), every: undefined }
}

function addPath(root: PathNode, path: string): void {
  let node = root
  for (const step of splitPointer(path)) {
    const next = (step === EVERY ? node.every : node.steps.get(step)) ?? createPathNode()
    if (step === EVERY) node.every = next
    else node.steps.set(step, next)
    node = next
  }
  if (!node.ends.includes(path)) node.ends.push(path)
}

/** Selects what some nodes of the paths say about the same value. No deeper than the longest path. */
function selectAt(
  value: unknown,
  nodes: readonly PathNode[],
  matched: Set<string>,
): { value: unknown } | undefined {
  const ends = nodes.flatMap((node) => node.ends)
  for (const path of ends) matched.add(path)
  const inside = (step: string, child: unknown): { value: unknown } | undefined => {
    const next = nodes
      .flatMap(({ every, steps }) => [every, steps.get(step)])
      .filter((node) => node !== undefined)
    return next.length === 0 ? undefined : selectAt(child, next, matched)
  }
  const part = nodes.some(({ steps, every }) => every !== undefined || steps.size > 0)
    ? selectInside(value, nodes, { inside, matched })
    : undefined
  // The parts were selected, too, so that their paths count as matched.
  return ends.length > 0 ? { value } : part
}

type SelectChild = (step: string, child: unknown) => { value: unknown } | undefined

function selectInside(
  value: unknown,
  nodes: readonly PathNode[],
  { inside, matched }: { inside: SelectChild; matched: Set<string> },
): { value: unknown } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const every = nodes.flatMap((node) => node.every ?? [])
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

/** Lists the paths that end at a node or below it. */
function listEnds({ ends, steps, every }: PathNode): readonly string[] {
  return [...ends, ...[...steps.values(), ...(every ? [every] : [])].flatMap(listEnds)]
}
