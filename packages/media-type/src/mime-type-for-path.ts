import { fileExtension, fileNameOf } from './file-name.ts'
import { findFileLanguage } from './language-index.ts'
import { mimeTypeForExtension } from './mime-database.ts'

/**
 * Gives the mime type of a file by its name: the languages of this package first, then `mime-db`.
 * Takes a path, not a URI; case is ignored. Nothing is read. `.ts` is TypeScript, never a video.
 */
export function mimeTypeForPath(path: string): string | undefined {
  const fileName = fileNameOf(path)
  const language = findFileLanguage(fileName)
  if (language) return language.mimeType
  const extension = fileExtension(fileName)
  return extension === undefined ? undefined : mimeTypeForExtension(extension)
}
