/** A path from the root of the machine; undefined where nothing says where it starts. */
export function absolutePath(path: string, root: string): string | undefined {
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(path)) return path
  if (root === '' || path === '') return undefined
  return `${root.replace(/[\\/]+$/, '')}/${path.replace(/^\.\//, '')}`
}
