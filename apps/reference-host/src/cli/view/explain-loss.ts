import { closeSync, constants, openSync, statSync } from 'node:fs'
import { type FileMarks, isSame, readMarks } from './watch-path.ts'

/**
 * Says why a file or folder could not be read to its end, what the pages show, and what to do. Returns `undefined` if it is unchanged, so its content is
 * the reason. `seen`: its marks before it was read.
 */
export function explainLoss(
  path: string,
  { seen, visible }: { seen: FileMarks; visible: 'beginning' | 'nothing' },
): string | undefined {
  const rest =
    visible === 'beginning' ? 'The pages show only its beginning.' : 'The pages show nothing of it.'
  switch (getErrorCode(path)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `${path} was deleted or moved while it was read. ${rest} If you put it back, it is read again.`
    case 'EACCES':
    case 'EPERM':
      return `${path} can no longer be read: its permissions were changed while it was read. ${rest} If you allow reading it, for example with chmod u+r, it is read again.`
  }
  if (isSame(readMarks(path), seen)) return undefined
  const content = describeUnreadable(path)
  if (content !== undefined)
    return `${path} was replaced while it was read and is now ${content}. ${rest} If you put a file with conversations there, it is read again.`
  return `${path} was changed or replaced while it was read. ${rest} It is read again now.`
}

/** Names content that can have no conversations; `undefined` for a folder or a file that may have some. */
function describeUnreadable(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats || stats.isDirectory()) return undefined
  if (!stats.isFile()) return 'a device or a pipe'
  return stats.size === 0 ? 'empty' : undefined
}

function getErrorCode(path: string): unknown {
  try {
    // Opening a pipe could wait for ever.
    closeSync(openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)))
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : undefined
  }
}
