/** Whether a version such as `22.17.1` comes before another such as `22.18`. */
export function isOlder(version: string, than: string): boolean {
  const have = version.split('.').map(Number)
  const want = than.split('.').map(Number)
  const place = want.findIndex((part, index) => part !== (have[index] ?? 0))
  return place !== -1 && (have[place] ?? 0) < (want[place] ?? 0)
}
