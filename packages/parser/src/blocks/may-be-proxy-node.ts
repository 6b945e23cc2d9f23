import { types } from 'node:util'

/** Whether an object is a proxy. Node can tell, so other objects need not be copied; see `may-be-proxy.ts`. */
export function mayBeProxy(value: object): boolean {
  return types.isProxy(value)
}
