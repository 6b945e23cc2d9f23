import { fileNameOf } from './file-name.ts'
import { findFileLanguage } from './language-index.ts'
import { languageForMimeType } from './language-for-mime-type.ts'
import { mimeTypeForPath } from './mime-type-for-path.ts'

/** Gives the language of a file by its name, as the tag of a code fence: `src/main.rs` is `rs`. */
export function languageForPath(path: string): string | undefined {
  const language = findFileLanguage(fileNameOf(path))
  if (language) return language.tag
  const mimeType = mimeTypeForPath(path)
  return mimeType === undefined ? undefined : languageForMimeType(mimeType)
}
