import { FORMAT_NAMES } from '@toolblocks/conversation-store/import'
import { expect, test } from 'vitest'
import { FORMATS } from './formats.ts'

test('every format that can be read can be asked for', () => {
  expect(FORMATS).toEqual(FORMAT_NAMES)
})
