import type { TerminalText } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { sanitizeTerminalText } from '../../sanitize/sanitize-terminal-text.ts'
import { writtenPart } from './written.suite.ts'

describe('a picture', () => {
  const picture = { kind: 'media', media: 'image', name: 'a', facts: ['b'] } as const
  const images = (
    { base64, mimeType }: { base64: string; mimeType: string | undefined },
    { columns, rows }: { columns: number; rows: number },
  ): TerminalText | undefined =>
    base64 === 'BAD' ? undefined : sanitizeTerminalText(`${base64} ${mimeType} ${columns}x${rows}`)

  test('stands below its line, as large as there is room, at most 60 columns and 20 rows', () => {
    const part = { ...picture, base64: 'AAAA', mimeType: 'image/png' }
    expect(writtenPart(part, { images })).toBe('a  b\nAAAA image/png 60x20')
    expect(writtenPart(part, { images, columns: 30 })).toBe('a  b\nAAAA image/png 30x20')
  })

  test('is its line alone where the terminal cannot show it, it has no bytes, or it is none', () => {
    expect(writtenPart({ ...picture, base64: 'BAD' }, { images })).toBe('a  b')
    expect(writtenPart({ ...picture, base64: 'AAAA' })).toBe('a  b')
    expect(writtenPart(picture, { images })).toBe('a  b')
    expect(writtenPart({ ...picture, media: 'file', base64: 'AAAA' }, { images })).toBe('a  b')
  })
})
