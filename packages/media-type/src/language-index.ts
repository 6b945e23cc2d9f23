import { fileExtension } from './file-name.ts'
import { languages } from './languages.ts'

interface FileLanguage {
  tag: string
  mimeType: string
}

/** Tag by mime type. */
export const languageByMimeType: ReadonlyMap<string, string> = new Map(
  languages.flatMap(([tag, , mimeTypes]) => words(mimeTypes).map((type) => [type, tag] as const)),
)

/** Tag by the name that stands in `text/NAME` or `text/x-NAME`. */
export const languageByName: ReadonlyMap<string, string> = new Map(
  languages.flatMap(([tag, names]) => words(names).map((name) => [name, tag] as const)),
)

const byExtension = new Map(
  languages.flatMap(([tag, , mimeTypes, extensions]) =>
    words(extensions).map((extension) => [extension, fileLanguage(tag, mimeTypes)] as const),
  ),
)

const byFileName = new Map(
  languages.flatMap(([tag, , mimeTypes, , fileNames = '']) =>
    words(fileNames).map((fileName) => [fileName, fileLanguage(tag, mimeTypes)] as const),
  ),
)

/** Finds the row of a file: by its whole name, then its extension, then its first part (`Dockerfile.dev`). */
export function findFileLanguage(fileName: string): FileLanguage | undefined {
  const extension = fileExtension(fileName)
  return (
    byFileName.get(fileName) ??
    (extension === undefined
      ? undefined
      : (byExtension.get(extension) ?? byFileName.get(fileName.slice(0, fileName.indexOf('.')))))
  )
}

function fileLanguage(tag: string, mimeTypes: string): FileLanguage {
  return { tag, mimeType: words(mimeTypes)[0] ?? 'text/plain' }
}

function words(list: string): string[] {
  return list === '' ? [] : list.split(' ')
}
