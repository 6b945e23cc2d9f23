import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is a folder or stands below it, as both are written: no link is followed. */
export function liesBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
