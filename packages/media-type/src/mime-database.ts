import { createRequire } from 'node:module'
import type { MimeDatabase } from 'mime-db'

/** What `mime-db` does not have, or only under an `x-` name that has since been registered without. */
const additions: Readonly<Record<string, string>> = {
  flac: 'audio/flac',
  tgz: 'application/gzip',
  zst: 'application/zstd',
}

let typeByExtension: Map<string, string> | undefined

/** Looks an extension up in `mime-db`, which is read on first use: its 200 KB cost more than all the rest. */
export function mimeTypeForExtension(extension: string): string | undefined {
  typeByExtension ??= indexExtensions(readDatabase())
  return typeByExtension.get(extension)
}

function readDatabase(): MimeDatabase {
  const database: MimeDatabase = createRequire(import.meta.url)('mime-db')
  return database
}

function indexExtensions(database: MimeDatabase): Map<string, string> {
  const index = new Map<string, string>()
  for (const [type, { extensions = [] }] of Object.entries(database)) {
    for (const extension of extensions) {
      const known = index.get(extension)
      if (known === undefined || rank(type, database) > rank(known, database))
        index.set(extension, type)
    }
  }
  for (const [extension, type] of Object.entries(additions)) index.set(extension, type)
  return index
}

/** Of several types for one extension: standard names, then registered ones, then media over `application`. */
function rank(type: string, database: MimeDatabase): number {
  const [top = '', name = ''] = type.split('/')
  const standard = /^(?:x-|x\.|prs\.)/.test(name) ? 0 : name.startsWith('vnd.') ? 1 : 2
  const registered = database[type]?.source === 'iana' ? 1 : 0
  const media = ['video', 'audio', 'image', 'font'].includes(top) ? 1 : 0
  // A shorter name is the more general one: `audio/ogg` over `audio/ogg-something`.
  return standard * 1000 + registered * 400 + media * 200 - type.length
}
