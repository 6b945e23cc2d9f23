import { StoreError } from '../problems/store-error.ts'

/** Throws for half a surrogate pair: UTF-8 has no bytes for it, so two such ids would become one. `name` says what the id is. */
export function checkId(id: string, name = 'conversation id'): void {
  if (id.isWellFormed()) return
  const message = `The ${name} ${JSON.stringify(id)} contains half a surrogate pair, which no store can keep; use another one.`
  throw new StoreError('invalid-id', message)
}
