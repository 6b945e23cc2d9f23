import assert from 'node:assert/strict'
import {
  languageForMimeType,
  languageForPath,
  mimeTypeForPath,
  sniffMimeType,
} from '@toolblocks/media-type'

// A tool that reads files, and how it describes each one.
assert.equal(mimeTypeForPath('src/main.rs'), 'text/rust')
assert.equal(mimeTypeForPath('src/index.ts'), 'text/typescript')
assert.equal(mimeTypeForPath('Dockerfile.dev'), 'text/x-dockerfile')
assert.equal(mimeTypeForPath('logo.png'), 'image/png')

// A host that shows them: the tag of the code fence.
assert.equal(languageForMimeType('text/x-rust; charset=utf-8'), 'rs')
assert.equal(languageForMimeType('application/vnd.api+json'), 'json')
assert.equal(languageForMimeType('text/plain'), undefined)
assert.equal(languageForPath('src/main.rs'), 'rs')

// Bytes without a name.
assert.equal(sniffMimeType(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa)), 'image/png')
