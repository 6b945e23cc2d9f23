import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  attackFragments,
  BURMESE_SPACE,
  hostileText,
  ODD_SPACE,
} from './attack-fragments.support.ts'
import { sanitizeTerminalText } from './sanitize-terminal-text.ts'
import { createTerminalOracle } from './terminal-oracle.support.ts'
import { createTerminalSanitizer } from './terminal-sanitizer.ts'

const colors = fc.constantFrom('keep', 'strip')
/** The only sequences in the output, and the only characters outside them. */
// oxlint-disable-next-line no-control-regex -- colours begin with one
const COLOR = /\u001B\[[\d;:]{0,64}m/g
const ODD =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they must be gone
  /[\0-\x08\v-\x1F\x7F-\x9F\u00AD\u034F\u061C\u115F\u1160\u180E\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}\p{Surrogate}]/u

describe('sanitizeTerminalText', () => {
  test('law: no text controls a terminal', { timeout: 30_000 }, async () => {
    const oracle = createTerminalOracle()
    await fc.assert(
      fc.asyncProperty(hostileText(), colors, async (text, keepOrStrip) => {
        expect(
          await oracle.readEffects(sanitizeTerminalText(text, { colors: keepOrStrip })),
        ).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test(
    'law: the same texts control a terminal without sanitizing',
    { timeout: 30_000 },
    async () => {
      const oracle = createTerminalOracle()
      const seen = new Set<string>()
      let acting = 0
      for (const text of fc.sample(hostileText(), { numRuns: 500, seed: 1 })) {
        const effects = await oracle.readEffects(text)
        if (effects.length > 0) acting += 1
        for (const effect of effects) seen.add(effect)
      }
      expect(acting).toBeGreaterThan(200)
      expect([...seen]).toEqual(
        expect.arrayContaining([
          'alternate screen',
          'bell',
          'colour of the end line',
          'concealed text',
          'end line',
          'guard line',
          'modes',
          'operating system command 52',
          'operating system command 8',
          'reply',
          'title',
        ]),
      )
    },
  )

  test('law: the output has only printable text, line feeds, tabs and colours', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const written = sanitizeTerminalText(text)
        expect(written.replaceAll(COLOR, '')).not.toMatch(ODD)
        expect(written).not.toMatch(ODD_SPACE)
        expect(sanitizeTerminalText(text, { colors: 'strip' })).not.toMatch(ODD)
      }),
      { numRuns: 5000, examples: [[BURMESE_SPACE], ['a\u200Bb']] },
    )
  })

  test('law: sanitized text is unchanged when it is sanitized again', () => {
    fc.assert(
      fc.property(hostileText(), colors, (text, keepOrStrip) => {
        const options = { colors: keepOrStrip }
        const once = sanitizeTerminalText(text, options)
        expect(sanitizeTerminalText(once, options)).toBe(once)
      }),
      { numRuns: 5000 },
    )
  })

  test('law: a text in pieces gives the same output, for any pieces', () => {
    fc.assert(
      fc.property(
        hostileText(),
        colors,
        fc.infiniteStream(fc.nat(3)),
        (text, keepOrStrip, sizes) => {
          const options = { colors: keepOrStrip }
          const sanitizer = createTerminalSanitizer(options)
          let written = ''
          for (let offset = 0; offset < text.length;) {
            const size = sizes.next().value ?? 1
            written += sanitizer.push(text.slice(offset, offset + size))
            offset += size
          }
          expect(written + sanitizer.finish()).toBe(sanitizeTerminalText(text, options))
        },
      ),
      { numRuns: 5000 },
    )
  })

  test('law: printable text without unusual characters is unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        fc.pre(!/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
        expect(sanitizeTerminalText(text)).toBe(text)
      }),
    )
  })

  // A step that scans all of the text backwards or forwards would take minutes here.
  test('law: a million characters end, and give at most a few times as many', () => {
    const size = 1_000_000
    const attacks = [attackFragments.join('')].concat(
      ['\u001B', '\u001B[', '\u001B]', '\u001BP', '\u009B1;'],
      ['\u001B[31m', '\u001B[38:2::1:2:3m', '\u001B[38;5;8m\u001B[m'],
      ['\u200D', '👩\u200D', '\u0301', '\u{E0041}', '\uD83D'],
    )
    for (const fragment of attacks) {
      const text = fragment.repeat(Math.ceil(size / fragment.length))
      const open = `\u001B[${'1;'.repeat(size / 2)}`
      expect(sanitizeTerminalText(text).length, fragment).toBeLessThan(4 * text.length)
      expect(sanitizeTerminalText(open + fragment).length).toBeLessThan(4 * size)
    }
  })
})
