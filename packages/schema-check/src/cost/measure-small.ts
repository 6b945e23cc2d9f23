import { isJsonObject } from '@toolblocks/protocol'

/** How large a value is. */
export interface ValueSize {
  /** Values in it, itself and the names of members too. */
  values: number
  /** Characters of all texts and names. */
  characters: number
}

/** Values up to which a value is small, which also bounds the recursion. */
const SMALL = 64

/** Measures a small value; `undefined` for one with more than 64 values and names. */
export function measureSmall(value: unknown): ValueSize | undefined {
  const size = { values: 0, characters: 0 }
  add(value, size)
  return size.values > SMALL ? undefined : size
}

function add(value: unknown, size: ValueSize): void {
  size.values += 1
  if (typeof value === 'string') size.characters += value.length
  else if (Array.isArray(value)) {
    if (value.length > SMALL) size.values = Infinity
    else for (const item of value) if (size.values <= SMALL) add(item, size)
  } else if (isJsonObject(value)) addMembers(value, size)
}

function addMembers(value: Record<string, unknown>, size: ValueSize): void {
  // Twice as fast as a list of the names; members that are inherited do no harm to a measure.
  for (const name in value) {
    if (size.values > SMALL) return
    size.values += 1
    size.characters += name.length
    add(value[name], size)
  }
}
