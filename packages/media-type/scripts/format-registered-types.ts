import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { MimeDatabase } from 'mime-db'

const require = createRequire(import.meta.url)

/** Types that `mime-db` does not have, or has only under an `x-` name although the plain name is registered. */
const additions: Readonly<Record<string, string>> = {
  flac: 'audio/flac',
  tgz: 'application/gzip',
  zst: 'application/zstd',
}

const LONGEST_LINE = 150

/** Formats the module `registered-types.ts`: the type that `mime-db` assigns to each file extension, with the licence of `mime-db`. */
export function formatRegisteredTypes(): string {
  const database: MimeDatabase = require('mime-db')
  const licence = readFileSync(require.resolve('mime-db/LICENSE'), 'utf8').trim()
  return `/*!
From mime-db:

${licence}
*/

/**
 * The file extensions of mime types: each line starts with the part of its types before the slash; each entry is the part after it and the extensions.
 * Written by \`pnpm generate\`, from \`mime-db\`.
 */
export const REGISTERED_TYPES = \`
${formatLines(indexExtensions(database)).join('\n')}
\`
`
}

function formatLines(typeByExtension: ReadonlyMap<string, string>): readonly string[] {
  const extensionsByType = new Map<string, string[]>()
  for (const [extension, type] of typeByExtension)
    extensionsByType.set(type, [...(extensionsByType.get(type) ?? []), extension])
  const lines: string[] = []
  for (const type of [...extensionsByType.keys()].toSorted()) {
    const [top = '', name = ''] = type.split('/')
    const entry = [name, ...(extensionsByType.get(type) ?? []).toSorted()].join(' ')
    const line = lines.at(-1)
    const isSameTop = line?.startsWith(`${top}: `)
    if (line !== undefined && isSameTop && line.length + entry.length + 2 <= LONGEST_LINE)
      lines[lines.length - 1] = `${line}, ${entry}`
    else lines.push(`${top}: ${entry}`)
  }
  return lines
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

/** Ranks several types of one extension: standard names first, then registered ones, then media before `application`. */
function rank(type: string, database: MimeDatabase): number {
  const [top = '', name = ''] = type.split('/')
  const standard = /^(?:x-|x\.|prs\.)/.test(name) ? 0 : name.startsWith('vnd.') ? 1 : 2
  const registered = database[type]?.source === 'iana' ? 1 : 0
  const media = ['video', 'audio', 'image', 'font'].includes(top) ? 1 : 0
  // A shorter name is more general: `audio/ogg` before `audio/ogg-something`.
  return standard * 1000 + registered * 400 + media * 200 - type.length
}
