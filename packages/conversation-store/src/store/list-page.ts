import { InvalidArgumentError, describeValue } from '@toolblocks/protocol/internal'
import { StoreError } from '../problems/store-error.ts'

/** Default number of entries of a list. */
const LIST = 50

/** The size and the beginning of a page. */
interface PageRequest {
  limit?: number
  cursor?: string
}

/** Reads a page of a list, and one entry more, to find out whether there is a next page. The cursor is the place of the last entry. */
export async function readListPage<Entry extends { position: number }>(
  { limit = LIST, cursor }: PageRequest,
  read: (page: { limit: number; position: number | undefined }) => Promise<readonly Entry[]>,
): Promise<{ listed: readonly Entry[]; next?: string }> {
  const count = countValue('limit', limit)
  const position = cursor === undefined ? undefined : getPlace(cursor)
  const entries = await read({ limit: count + 1, position })
  const listed = entries.slice(0, count)
  const last = listed.at(-1)
  return { listed, ...(last && entries.length > count && { next: String(last.position) }) }
}

/** Converts a number of a request to a count that every kind of rows accepts. `Infinity` becomes the maximum. Throws for a value that is no count. */
export function countValue(name: string, value: number): number {
  // A caller that reads page after page would never come to an end.
  if (typeof value !== 'number' || !(value >= 0))
    throw new InvalidArgumentError(
      `${name}: expected a number of 0 or more, or Infinity, got ${describeValue(value)}`,
    )
  return Math.trunc(Math.min(value, Number.MAX_SAFE_INTEGER - 1))
}

function getPlace(cursor: string): number {
  const position = Number(cursor)
  if (/^\d{1,16}$/.test(cursor) && Number.isSafeInteger(position)) return position
  const message = `The cursor ${JSON.stringify(cursor)} is not valid; expected the "next" of a list.`
  throw new StoreError('invalid-cursor', message)
}
