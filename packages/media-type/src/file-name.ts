/** The last segment of a path, in lower case; `\` separates too. */
export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
}

/** What follows the last dot; a name that only starts with a dot has none. */
export function fileExtension(fileName: string): string | undefined {
  const dot = fileName.lastIndexOf('.')
  return dot > 0 ? fileName.slice(dot + 1) : undefined
}
