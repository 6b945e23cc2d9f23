import { expect, test } from 'vitest'
import { languageForMimeType } from './language-for-mime-type.ts'

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
  'case, space and parameters do not matter: %s',
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
