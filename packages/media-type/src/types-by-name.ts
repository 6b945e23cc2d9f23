import { languages } from './languages.ts'
import { mimeTypeForExtension } from './type-for-extension.ts'

/**
 * Returns the MIME type of a file by its name: the languages of this package first, then the registered types. Takes a path, not a URI, and ignores
 * case. Reads no file. `.ts` is TypeScript, never a video.
 */
export function mimeTypeForPath(path: string): string | undefined {
  const fileName = getFileName(path)
  const language = findFileLanguage(fileName)
  if (language) return language.mimeType
  const extension = fileExtension(fileName)
  return extension === undefined ? undefined : mimeTypeForExtension(extension)
}

/** Returns the language of a file by its name, as the tag of a code fence: `src/main.rs` is `rs`. */
export function languageForPath(path: string): string | undefined {
  const language = findFileLanguage(getFileName(path))
  if (language) return language.tag
  const mimeType = mimeTypeForPath(path)
  return mimeType === undefined ? undefined : languageForMimeType(mimeType)
}

const NAMED_TYPE = /^(?:text|application)\/(?:x-|x\.)?(.+)$/
const STRUCTURED_SUFFIX = /\+(json|xml|yaml)$/

/**
 * Returns the language of a MIME type as the tag of a code fence: `text/x-rust` is `rs`. Ignores case and parameters (`; charset=utf-8`). `+json`,
 * `+xml` and `+yaml` count as those formats. `text/plain`, media and unknown types have no language.
 */
export function languageForMimeType(mimeType: string): string | undefined {
  const end = mimeType.indexOf(';')
  const type = (end === -1 ? mimeType : mimeType.slice(0, end)).trim().toLowerCase()
  return (
    languageByMimeType.get(type) ??
    STRUCTURED_SUFFIX.exec(type)?.[1] ??
    languageByTypeName(NAMED_TYPE.exec(type)?.[1])
  )
}

function languageByTypeName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  return languageByName.get(name) ?? languageByName.get(name.replace(/(?:src|hdr)$/, ''))
}

interface FileLanguage {
  tag: string
  mimeType: string
}

/** Tag by MIME type. */
const languageByMimeType: ReadonlyMap<string, string> = new Map(
  languages.flatMap(([tag, , mimeTypes]) =>
    splitWords(mimeTypes).map((type) => [type, tag] as const),
  ),
)

/** Tag by the name in `text/NAME` or `text/x-NAME`. */
const languageByName: ReadonlyMap<string, string> = new Map(
  languages.flatMap(([tag, names]) => splitWords(names).map((name) => [name, tag] as const)),
)

const byExtension = new Map(
  languages.flatMap(([tag, , mimeTypes, extensions]) =>
    splitWords(extensions).map((extension) => [extension, fileLanguage(tag, mimeTypes)] as const),
  ),
)

const byFileName = new Map(
  languages.flatMap(([tag, , mimeTypes, , fileNames = '']) =>
    splitWords(fileNames).map((fileName) => [fileName, fileLanguage(tag, mimeTypes)] as const),
  ),
)

/** Finds the row of a file: by its complete name, then its extension, then its first part (`Dockerfile.dev`). */
function findFileLanguage(fileName: string): FileLanguage | undefined {
  const extension = fileExtension(fileName)
  return (
    byFileName.get(fileName) ??
    (extension === undefined
      ? undefined
      : (byExtension.get(extension) ?? byFileName.get(fileName.slice(0, fileName.indexOf('.')))))
  )
}

function fileLanguage(tag: string, mimeTypes: string): FileLanguage {
  return { tag, mimeType: splitWords(mimeTypes)[0] ?? 'text/plain' }
}

function splitWords(list: string): string[] {
  return list === '' ? [] : list.split(' ')
}

/** Returns the last segment of a path, in lower case. `\` separates too. */
function getFileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
}

/** Returns the text after the last dot. A name that only starts with a dot has no extension. */
function fileExtension(fileName: string): string | undefined {
  const dot = fileName.lastIndexOf('.')
  return dot > 0 ? fileName.slice(dot + 1) : undefined
}
