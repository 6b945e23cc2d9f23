const LONGEST = 2048

/** An address that a page may lead to, as a browser writes it; undefined for every other one. */
export function pageAddress(uri: string): string | undefined {
  // Only what says its scheme itself: a relative address would lead to wherever the page is.
  if (uri.length > LONGEST || !/^(?:https?:\/\/|mailto:)[^\s\\]+$/i.test(uri)) return undefined
  const url = URL.parse(uri)
  // A user name before the host passes for the host.
  return url?.username === '' && url.password === '' ? url.href : undefined
}
