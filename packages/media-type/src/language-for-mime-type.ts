import { languageByMimeType, languageByName } from './language-index.ts'

const NAMED_TYPE = /^(?:text|application)\/(?:x-|x\.)?(.+)$/
const STRUCTURED_SUFFIX = /\+(json|xml|yaml)$/

/**
 * Gives the language of a mime type as the tag of a code fence: `text/x-rust` is `rs`.
 * Case and parameters (`; charset=utf-8`) are ignored; `+json`, `+xml` and `+yaml` count as those formats;
 * `text/plain`, media and unknown types have no language.
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
