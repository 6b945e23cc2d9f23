import { expect, test } from 'vitest'
import { languageForMimeType, languageForPath, mimeTypeForPath } from './types-by-name.ts'

test.for([
  ['logo.png', 'image/png'],
  ['photo.JPEG', 'image/jpeg'],
  ['film.mp4', 'video/mp4'],
  ['voice.m4a', 'audio/mp4'],
  ['voice.wav', 'audio/wav'],
  ['voice.flac', 'audio/flac'],
  ['icon.ico', 'image/vnd.microsoft.icon'],
  ['paper.pdf', 'application/pdf'],
  ['all.tar.gz', 'application/gzip'],
  ['all.tgz', 'application/gzip'],
  ['notes.txt', 'text/plain'],
  ['server.log', 'text/plain'],
] as const)('%s is %s', ([path, mimeType]) => {
  expect(mimeTypeForPath(path)).toBe(mimeType)
  expect(languageForPath(path)).toBeUndefined()
})

test.for([
  ['song.mp3', 'audio/mpeg'],
  ['page.jpm', 'image/jpm'],
  ['scene.x3db', 'model/x3d+fastinfoset'],
] as const)(
  'of several types for one extension the registered one is used: %s is %s',
  ([path, mimeType]) => {
    expect(mimeTypeForPath(path)).toBe(mimeType)
  },
)

test.for([
  ['map.geojson', 'application/geo+json', 'json'],
  ['feed.rss', 'application/rss+xml', 'xml'],
] as const)(
  'a type that only mime-db contains still has its language: %s',
  ([path, mimeType, tag]) => {
    expect(mimeTypeForPath(path)).toBe(mimeType)
    expect(languageForPath(path)).toBe(tag)
  },
)

test.for([
  ['/srv/Dockerfile', 'text/x-dockerfile', 'dockerfile'],
  ['Dockerfile.dev', 'text/x-dockerfile', 'dockerfile'],
  ['api.Dockerfile', 'text/x-dockerfile', 'dockerfile'],
  ['Makefile', 'text/x-makefile', 'makefile'],
  ['GNUmakefile', 'text/x-makefile', 'makefile'],
  ['Makefile.am', 'text/x-makefile', 'makefile'],
  ['CMakeLists.txt', 'text/x-cmake', 'cmake'],
  ['tsconfig.json', 'application/jsonc', 'jsonc'],
  ['Gemfile', 'text/x-ruby', 'rb'],
  ['.bashrc', 'text/x-shellscript', 'sh'],
  ['.env', 'text/x-dotenv', 'dotenv'],
] as const)('the complete name is compared first: %s is %s', ([path, mimeType, tag]) => {
  expect(mimeTypeForPath(path)).toBe(mimeType)
  expect(languageForPath(path)).toBe(tag)
})

test.for([
  ['types.d.ts', 'ts'],
  ['x.test.tsx', 'tsx'],
  ['LIB.RS', 'rs'],
  ['C:\\project\\main.py', 'py'],
  ['dir.rs/notes.go', 'go'],
] as const)('only the last extension of the last segment is used: %s is %s', ([path, tag]) => {
  expect(languageForPath(path)).toBe(tag)
})

test.for([
  '',
  '/',
  'dir.rs/',
  'README',
  '.rs',
  'x.',
  'x.nobody-knows',
  'constructor',
  '__proto__',
  'x.__proto__',
] as const)('"%s" has no known type', (path) => {
  expect(mimeTypeForPath(path)).toBeUndefined()
  expect(languageForPath(path)).toBeUndefined()
})

test.for([
  ['text/rust', 'rs'],
  ['text/x-rust', 'rs'],
  ['text/x-rustsrc', 'rs'],
  ['text/x-c++src', 'cpp'],
  ['text/x-c++hdr', 'cpp'],
  ['text/x-csrc', 'c'],
  ['application/javascript', 'js'],
  ['application/x-typescript', 'ts'],
  ['application/x-sh', 'sh'],
  ['text/xml', 'xml'],
  ['text/x-yaml', 'yaml'],
] as const)('%s is %s', ([mimeType, tag]) => {
  expect(languageForMimeType(mimeType)).toBe(tag)
})

test.for(['Text/X-Rust', 'text/rust; charset=utf-8', ' text/rust ;charset="utf-8"', 'TEXT/RUST;'])(
  'case, space and parameters are ignored: %s',
  (mimeType) => {
    expect(languageForMimeType(mimeType)).toBe('rs')
  },
)

test.for([
  ['application/vnd.api+json', 'json'],
  ['application/geo+json; charset=utf-8', 'json'],
  ['application/atom+xml', 'xml'],
  ['image/svg+xml', 'xml'],
  ['application/vnd.oai.openapi+yaml', 'yaml'],
] as const)('a structured suffix names the format: %s is %s', ([mimeType, tag]) => {
  expect(languageForMimeType(mimeType)).toBe(tag)
})

test.for([
  'text/plain',
  'application/octet-stream',
  'image/png',
  'video/mp2t',
  'text/x-',
  'x',
  '',
  '+json/',
] as const)('%s has no language', (mimeType) => {
  expect(languageForMimeType(mimeType)).toBeUndefined()
})
