/** Returns the target of a redirect that may be followed: one that keeps the method, scheme, host and port. */
export function nextWithinOrigin(from: URL, { status, headers }: Response): URL | undefined {
  const location = headers.get('location')
  if (location === null || (status !== 307 && status !== 308)) return undefined
  const target = URL.parse(location, from.href)
  if (!target) return undefined
  const isUpgrade =
    from.protocol === 'http:' &&
    target.protocol === 'https:' &&
    from.hostname === target.hostname &&
    `${from.port}${target.port}` === ''
  const keepsUser =
    `${target.username}${target.password}` === '' ||
    (target.username === from.username && target.password === from.password)
  return keepsUser && (isUpgrade || from.origin === target.origin) ? target : undefined
}
