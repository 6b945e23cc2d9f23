import { getErrorText } from '@toolblocks/protocol/internal'

/** Says, after the name of a file or folder, why it could not be read. */
export function explainRead(error: unknown): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist'
    case 'EISDIR':
      return 'is a folder, not a file'
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read: permission denied'
    default:
      return `cannot be read: ${getErrorText(error)}`
  }
}
