/** Returns why a file cannot be written, from the error code of the operating system. */
export function explainWrite(path: string, code: unknown, reason: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${path} may not be written`
    case 'ENOSPC':
      return `there is no space left for ${path}`
    default:
      return `${path} cannot be written: ${reason}`
  }
}
