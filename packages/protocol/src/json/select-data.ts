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
  const selected = selectAt(value, createPathChoice([root]), matched)
  const unmatched = [...new Set(paths)].filter((path) => !matched.has(path))
  return { ...(selected !== NOTHING && { selected: { value: selected } }), unmatched }
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

/** What some nodes of the paths say together about a value. What they say about its members and items is found once, not for each of them. */
interface PathChoice {
  nodes: readonly PathNode[]
  ends: readonly string[]
  /** The members and items that paths name. */
  names: ReadonlySet<string>
  /** The items that paths name, in their order. */
  indexes: readonly number[]
  /** Whether a path has `*` here. */
  hasEvery: boolean
  /** Returns the choice for a member or an item that a path names. */
  choose(name: string): PathChoice
  /** Returns the choice for all others. */
  chooseOther(): PathChoice
}

function createPathChoice(nodes: readonly PathNode[]): PathChoice {
  const every = nodes.flatMap((node) => node.every ?? [])
  const names = new Set(nodes.flatMap(({ steps }) => [...steps.keys()]))
  const known = new Map<string, PathChoice>()
  let other: PathChoice | undefined
  return {
    nodes,
    ends: nodes.flatMap(({ ends }) => ends),
    names,
    indexes: [...names]
      .filter((name) => INDEX.test(name))
      .map(Number)
      .toSorted((left, right) => left - right),
    hasEvery: every.length > 0,
    choose: (name) => {
      const before = known.get(name)
      if (before) return before
      const own = nodes.flatMap(({ steps }) => steps.get(name) ?? [])
      const choice = createPathChoice([...every, ...own])
      known.set(name, choice)
      return choice
    },
    chooseOther: () => (other ??= createPathChoice(every)),
  }
}

/** The name of an item of an array. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/

/** No part of a value is selected. */
const NOTHING = Symbol('nothing')

/** Selects a part of a value. No deeper than the longest path. */
function selectAt(value: unknown, choice: PathChoice, matched: Set<string>): unknown {
  for (const path of choice.ends) matched.add(path)
  const part = selectInside(value, choice, matched)
  // The parts were selected, too, so that their paths count as matched.
  return choice.ends.length > 0 ? value : part
}

function selectInside(value: unknown, choice: PathChoice, matched: Set<string>): unknown {
  const { names, hasEvery } = choice
  if (typeof value !== 'object' || value === null) return NOTHING
  if (!hasEvery && names.size === 0) return NOTHING
  if (hasEvery && Object.keys(value).length === 0) {
    // A list without items has all of them.
    for (const path of choice.chooseOther().nodes.flatMap(listEnds)) matched.add(path)
    return value
  }
  if (!Array.isArray(value))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object that is no array
    return selectMembers(value as Record<string, unknown>, choice, matched)
  return hasEvery
    ? selectEveryItem(value, choice, matched)
    : selectNamedItems(value, choice, matched)
}

function selectNamedItems(
  items: readonly unknown[],
  { indexes, choose }: PathChoice,
  matched: Set<string>,
): unknown {
  const selected: unknown[] = []
  for (const index of indexes) {
    if (index >= items.length) break
    const item = selectAt(items[index], choose(String(index)), matched)
    if (item !== NOTHING) selected.push(item)
  }
  return selected.length === 0 ? NOTHING : selected
}

function selectEveryItem(
  items: readonly unknown[],
  { indexes, choose, chooseOther }: PathChoice,
  matched: Set<string>,
): unknown {
  const other = chooseOther()
  const named = indexes.length > 0 ? new Set(indexes) : undefined
  let isEmpty = true
  const selected = items.map((item, index) => {
    const choice = named?.has(index) ? choose(String(index)) : other
    const part = selectAt(item, choice, matched)
    if (part === NOTHING) return {}
    isEmpty = false
    return part
  })
  return isEmpty ? NOTHING : selected
}

function selectMembers(
  value: Readonly<Record<string, unknown>>,
  { names, hasEvery, choose, chooseOther }: PathChoice,
  matched: Set<string>,
): unknown {
  const members: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    const isNamed = names.has(key)
    if (!isNamed && !hasEvery) continue
    const part = selectAt(value[key], isNamed ? choose(key) : chooseOther(), matched)
    if (part !== NOTHING) members.push([key, part])
  }
  // Also a member named `__proto__` becomes an own one.
  return members.length === 0 ? NOTHING : Object.fromEntries(members)
}

/** Lists the paths that end at a node or below it. */
function listEnds({ ends, steps, every }: PathNode): readonly string[] {
  return [...ends, ...[...steps.values(), ...(every ? [every] : [])].flatMap(listEnds)]
}
