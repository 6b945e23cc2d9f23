import { InvalidArgumentError } from 'commander'

/** The turns to show, both counted from 1. */
export interface ReadTurns {
  from: number
  /** Inclusive. */
  to: number
}

/** Parses `3`, `2-4`, `2-` or `-4`. */
export function readTurns(value: string): ReadTurns {
  const [, one, first, last] = /^(?:(\d{1,9})|(\d{1,9})?-(\d{1,9})?)$/.exec(value) ?? []
  const from = Number(one ?? first ?? 1)
  const to = Number(one ?? last ?? Infinity)
  if (value === '-' || (one ?? first ?? last) === undefined || from < 1 || to < from)
    throw new InvalidArgumentError('expected turns such as 3, 2-4, 2- or -4, counted from 1.')
  return { from, to }
}
