import { types } from 'node:util'

/** Says whether an object is a proxy, as `may-be-proxy.ts` does: Node can tell, so that all other objects need not be copied. */
export function mayBeProxy(value: object): boolean {
  return types.isProxy(value)
}
