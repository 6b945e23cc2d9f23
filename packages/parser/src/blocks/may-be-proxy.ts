/** Whether an object may be a proxy, which may return different values each time. Only Node can tell; on other platforms every object may be one. */
export function mayBeProxy(_value: object): boolean {
  return true
}
