/**
 * Says whether an object may be a proxy, which may answer differently each time it is asked. Only Node can tell: on any other platform
 * every object may be one.
 */
export function mayBeProxy(_value: object): boolean {
  return true
}
