import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { languageForMimeType, languageForPath, mimeTypeForPath } from './index.ts'
import { languages } from './languages.ts'

const words = (list = ''): readonly string[] => list.split(' ').filter((word) => word !== '')
const database: Record<string, { extensions?: readonly string[] }> = createRequire(import.meta.url)(
  'mime-db',
)

// Tables say what they say: a change of one is seen here, entry by entry. To take one over: pnpm exec vitest run packages/media-type -u
test('every name, mime type, extension and file name of the languages leads where it led', async () => {
  const lines = languages.flatMap(([tag, names, mimeTypes, extensions, fileNames]) => [
    `${tag}: ${languageForMimeType(words(mimeTypes)[0] ?? '')} ${mimeTypeForPath(`x.${words(extensions)[0]}`)}`,
    ...words(names).map((name) => `  text/x-${name} ${languageForMimeType(`text/x-${name}`)}`),
    ...words(mimeTypes).map((type) => `  ${type} ${languageForMimeType(type)}`),
    ...words(extensions).map(
      (extension) => `  x.${extension} ${languageForPath(`x.${extension}`)}`,
    ),
    ...words(fileNames).map(
      (name) => `  ${name} ${languageForPath(name)} ${mimeTypeForPath(name)}`,
    ),
  ])
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./languages.fixture.txt')
})

test('of the types that claim one extension, the same one is taken', async () => {
  const claims = new Map<string, number>()
  for (const { extensions = [] } of Object.values(database))
    for (const extension of extensions) claims.set(extension, (claims.get(extension) ?? 0) + 1)
  const lines = [...claims]
    .filter(([, count]) => count > 1)
    .map(([extension]) => `${extension} ${mimeTypeForPath(`x.${extension}`)}`)
    .toSorted((one, other) => one.localeCompare(other))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./claimed-extensions.fixture.txt')
})
